// The library as WebAssembly beside the library itself: the same numbers, to rounding, and the same words.
//
//     PLUCKER=build/test/plucker WASM=build/wasm node --test viewer/test/wasm_test.mjs
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { before, test } from "node:test";

const plucker = process.env.PLUCKER;
const folder = resolve(process.env.WASM ?? "build/wasm");
const reference = (file) => join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../../tests/data/reference", file);
let module;

before(async () => {
    const { default: create } = await import(join(folder, "plucker.mjs"));
    module = await create({ wasmBinary: readFileSync(join(folder, "plucker.wasm")) });
});

function call(request) {
    const text = JSON.stringify(request);
    const size = module.lengthBytesUTF8(text) + 1;
    const at = module._malloc(size);
    module.stringToUTF8(text, at, size);
    const answer = JSON.parse(module.UTF8ToString(module._plucker_call(at)));
    module._free(at);
    return answer;
}

function native(...words) {
    return execFileSync(plucker, words, { maxBuffer: 1 << 28 }).toString();
}

const kQuantities = ["gravity_torque", "inverse_dynamics", "forward_dynamics", "mass_matrix", "coriolis_matrix", "center_of_mass", "kinetic_energy", "potential_energy", "centroidal_momentum"];

// Relative to the largest entry: what is solved with M inherits its condition number.
function compare(name, a, b) {
    const flat = (x) => (Array.isArray(x) ? x.flatMap(flat) : typeof x === "object" ? Object.values(x).flatMap(flat) : [x]);
    const [x, y] = [flat(a), flat(b)];
    assert.equal(x.length, y.length, name);
    assert.ok(x.length > 0, name);
    const size = Math.max(1e-9, ...y.map(Math.abs));
    x.forEach((value, k) => assert.ok(Math.abs(value - y[k]) <= 1e-10 * size, `${name}[${k}]: ${value} in the page, ${y[k]} natively`));
}

test("computes the same numbers for built-in robots", (context) => {
    for (const robot of ["exoskeleton", "lamp", "arm", "quadruped", "humanoid", "cart_pole"]) {
        const loaded = call({ do: "builtin", name: robot });
        assert.equal(loaded.error, undefined);
        const state = JSON.parse(native("state", `builtin:${robot}`, "--random", "--seed", "5"));
        const page = call({ do: "evaluate", state, quantities: kQuantities });
        assert.equal(page.error, undefined, robot);
        const input = JSON.stringify(state);
        const here = JSON.parse(execFileSync(plucker, ["eval", `builtin:${robot}`, "--state", "-", "--order", "plucker", "--quantity", kQuantities.join(",")], { input, maxBuffer: 1 << 28 }).toString());
        for (const quantity of kQuantities) compare(`${robot}: ${quantity}`, page[quantity], here[quantity]);
        const begin = performance.now();
        for (let k = 0; k < 20; ++k) call({ do: "evaluate", state, quantities: ["gravity_torque", "mass_matrix", "coriolis_matrix"] });
        context.diagnostic(`${robot}: gravity torque, M and C in ${((performance.now() - begin) / 20).toFixed(2)} ms, with the texts around them`);
    }
});

test("reads URDF, with the same findings in the same words", () => {
    const text = readFileSync(reference("arm7.urdf"), "utf8");
    const loaded = call({ do: "load", text, file: "arm7.urdf" });
    assert.equal(loaded.robot.name, JSON.parse(native("eval", reference("arm7.urdf"), "--state", writeState(reference("arm7.urdf")), "--quantity", "total_mass")).model);
    const broken = text.replace(/<mass value="[^"]*"/, '<mass value="-1"');
    const refused = call({ do: "load", text: broken, file: "broken.urdf" });
    assert.equal(refused.robot, undefined);
    assert.ok(refused.findings.some(({ is_error, text: said }) => is_error && /broken\.urdf:\d+: error: .*mass is -1 kg/.test(said)), JSON.stringify(refused.findings));
    // The robot before is still there.
    assert.equal(call({ do: "evaluate", state: { q: new Array(loaded.robot.nq).fill(0) }, quantities: ["mass_matrix"] }).error, undefined);
});

function writeState(model) {
    // A file that both can read; a pipe cannot be named.
    const path = join(folder, "state.json");
    execFileSync("sh", ["-c", `"$0" state "$1" > "$2"`, plucker, model, path]);
    return path;
}

test("refuses what is no robot, in words, and goes on", () => {
    for (const text of ["", "nonsense", "<robot", "<robot name='r'><link name='a'/><link name='a'/></robot>", "\u0000", "<sdf version='1.6'/>", "<mujoco/>"]) {
        const answer = call({ do: "load", text, file: "dropped.urdf" });
        const said = answer.error ?? answer.findings.filter((finding) => finding.is_error).map((finding) => finding.text).join();
        assert.ok(said.length > 10, `${JSON.stringify(text)}: ${JSON.stringify(answer).slice(0, 200)}`);
    }
    assert.match(call({ do: "builtin", name: "humanoit" }).error, /closest: 'humanoid'/);
    assert.match(call({ do: "fly" }).error, /not known/);
    assert.equal(call({ do: "builtin", name: "arm" }).error, undefined);
});
