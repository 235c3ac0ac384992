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

test("says of SDF and MJCF what to do with them", () => {
    for (const [text, file] of [["<sdf version='1.6'><model name='m'/></sdf>", "robot.sdf"], ["<mujoco/>", "robot.xml"]]) {
        const { error } = call({ do: "load", text, file });
        assert.match(error, new RegExp(`^${file.replace(".", "[.]")}: the page reads URDF[.] (SDF|MJCF) .*plucker convert ${file} robot[.]urdf`));
    }
});

// What plucker_numbers has, for a robot of this size.
function state({ nq, nv, bodies }) {
    const begin = module._plucker_numbers() / 8;
    const heap = module.HEAPF64;
    const [time, kinetic, potential, residual, depth, contacts] = heap.subarray(begin);
    const at = begin + 12;
    return { time, kinetic, potential, residual, depth, contacts, q: [...heap.subarray(at, at + nq)], v: [...heap.subarray(at + nq, at + nq + nv)], tau: [...heap.subarray(at + nq + 2 * nv, at + nq + 3 * nv)], bodies: bodies.length };
}

function advance(steps) {
    const said = module._plucker_advance(steps);
    assert.equal(said === 0 ? "" : module.UTF8ToString(said), "");
}

// The last instant that the tool writes, in the library's order.
function simulated(robot, ...options) {
    const lines = native("simulate", `builtin:${robot}`, "--every", "1000000", ...options).trim().split("\n");
    return JSON.parse(lines[lines.length - 1]);
}

test("simulates as the library does", (context) => {
    const cases = [
        ["pendulum", { ground: false }, ["--duration", "1"], 1000],
        ["arm", { ground: false, controller: "hold" }, ["--duration", "0.5", "--hold"], 500],
        ["quadruped", { ground: true, on_ground: true, friction: 0.8 }, ["--duration", "0.15", "--ground", "mu=0.8"], 150],
        ["quadruped", { ground: true, on_ground: true, friction: 0.8, controller: "hold" }, ["--duration", "0.5", "--ground", "mu=0.8", "--hold"], 500],
        ["exoskeleton", { ground: true, on_ground: true, friction: 1, controller: "hold" }, ["--duration", "0.3", "--ground", "--hold"], 300],
        ["humanoid", { ground: true, on_ground: true, friction: 1 }, ["--duration", "0.1", "--ground"], 100],
    ];
    for (const [robot, wishes, options, steps] of cases) {
        const loaded = call({ do: "builtin", name: robot });
        assert.equal(call({ do: "simulate", ...wishes }).error, undefined, robot);
        const begin = performance.now();
        advance(steps);
        const took = (performance.now() - begin) / steps;
        const page = state(loaded.robot);
        const here = simulated(robot, ...options);
        // Impacts make little differences grow: a millionth of a millionth at the beginning, some thousand times as much now.
        for (const name of ["q", "v"]) {
            const size = Math.max(1, ...here[name].map(Math.abs));
            assert.equal(here[name].length, page[name].length);
            here[name].forEach((x, k) => assert.ok(Math.abs(x - page[name][k]) < 1e-7 * size, `${robot}: ${name}[${k}] is ${page[name][k]} in the page, ${x} natively`));
        }
        assert.ok(Math.abs(page.kinetic - here.energy.kinetic) < 1e-6 * Math.max(1, here.energy.kinetic));
        assert.equal(page.contacts, (here.contacts ?? []).length, robot);
        context.diagnostic(`${robot}, ${JSON.stringify(wishes)}: ${took.toFixed(3)} ms a step of 1 ms`);
    }
});

test("pulls a link to the mouse, and lets go", () => {
    const loaded = call({ do: "builtin", name: "quadruped" });
    call({ do: "simulate", ground: true, on_ground: true, controller: "hold" });
    const pull = (body, ...numbers) => {
        const at = module._malloc(48);
        module.HEAPF64.set([...numbers, 0, 0, 0, 0, 0, 0].slice(0, 6), at / 8);
        const said = module._plucker_pull(body, at);
        module._free(at);
        return said === 0 ? "" : module.UTF8ToString(said);
    };
    const before = state(loaded.robot).q[2];
    for (let k = 0; k < 60; ++k) {
        assert.equal(pull(1, 0, 0, 0, 0, 0, before + 0.5), "");
        advance(25);
    }
    const up = state(loaded.robot);
    assert.ok(up.q[2] > before + 0.3, `pulled up, its base rises from ${before} m to ${up.q[2]} m`);
    assert.equal(up.contacts, 0);
    pull(0);
    advance(1500);
    const down = state(loaded.robot);
    assert.ok(down.q[2] < before + 0.05 && down.contacts >= 4, `let go, it stands again: ${down.q[2]} m, ${down.contacts} contacts`);
    assert.match(pull(99), /no body 99/);
});

test("falls from a height, in another gravity, and compensates it", () => {
    const { robot } = call({ do: "builtin", name: "quadruped" });
    call({ do: "gravity", gravity: [0, 0, -1.62] });
    call({ do: "simulate", ground: true, on_ground: true });
    const low = state(robot).q[2];
    call({ do: "simulate", ground: true, on_ground: true, height: 1 });
    assert.ok(Math.abs(state(robot).q[2] - low - 1) < 1e-12);
    advance(500);
    const fallen = low + 1 - state(robot).q[2];
    // The sum of a step's velocities: half a step more than g t²/2.
    assert.ok(Math.abs(fallen - 0.5 * 1.62 * 0.5 * 0.501) < 1e-9, `it fell by ${fallen} m in half a second`);

    const { robot: arm, coordinates } = call({ do: "builtin", name: "arm" });
    const q = coordinates.map(({ lower, upper }) => 0.6 * lower + 0.4 * upper); // within all limits
    call({ do: "simulate", ground: false, controller: "gravity", q });
    advance(500);
    state(arm).q.forEach((x, k) => assert.ok(Math.abs(x - q[k]) < 1e-9, `joint ${k} went from ${q[k]} to ${x}`));
    assert.match(call({ do: "simulate", ground: false, height: 1 }).error, /stands fast/);
    assert.match(call({ do: "simulate", controller: "magic" }).error, /closest|none/);
    assert.match(call({ do: "simulate", q: [1] }).error, /q has size 1/);
});

test("lets known meshes touch, and says which it does not know", () => {
    const inertial = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>";
    const text = `<robot name='block'><link name='block'>${inertial}<collision><geometry><mesh filename='cube.stl'/></geometry></collision></link></robot>`;
    const load = () => call({ do: "load", text, file: "block.urdf", floating: true });
    const { robot } = load();
    assert.match(call({ do: "simulate", ground: true }).error, /no collision shapes/);
    assert.match(call({ do: "simulate", ground: false }).notes[0], /link 'block' touches nothing here with its mesh/);
    const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].flatMap((z) => [0.1 * x, 0.1 * y, 0.1 * z])));
    const at = module._malloc(4 * corners.length);
    module.HEAPF32.set(corners, at / 4);
    const name = module._malloc(16);
    module.stringToUTF8("cube.stl", name, 16);
    module._plucker_mesh(name, at, corners.length / 3);
    assert.deepEqual(call({ do: "simulate", ground: true, on_ground: true, height: 0.2 }).notes, []);
    advance(600);
    const { q, contacts } = state(robot);
    assert.ok(Math.abs(q[2] - 0.1) < 1e-4 && contacts === 4, `it rests at ${q[2]} m on ${contacts} points`);
});

test("teaches Newton and Euler with the library's own numbers", () => {
    const { coordinates } = call({ do: "builtin", name: "chain(3)" });
    const [along, v, a] = [[0.3, -0.5, 0.8], [1, 2, -1], [0.5, -2, 3]];
    const lesson = call({ do: "lesson", along, v, a, gravity: true });
    assert.equal(coordinates.length, 3);
    const here = call({ do: "evaluate", state: { q: along, v, a }, quantities: ["inverse_dynamics", "mass_matrix"] });
    compare("τ", lesson.tau, here.inverse_dynamics);
    compare("H", lesson.H, here.mass_matrix);
    // The equations hold, as they are written beside the numbers.
    const times = (matrix, x) => matrix.map((row) => row.reduce((sum, y, k) => sum + y * x[k], 0));
    const sum = (...list) => list[0].map((_, k) => list.reduce((total, x) => total + x[k], 0));
    lesson.bodies.forEach((body, i) => {
        if (i === 0) return;
        const parent = lesson.bodies[body.parent];
        compare("X v", times(body.X, parent.v), body.carried_v);
        compare("v", sum(body.carried_v, body.joint_v), body.v);
        compare("S q̇", body.S[0].map((s) => s * v[i - 1]), body.joint_v);
        compare("a", sum(times(body.X, parent.a), body.joint_a, body.turning_a), body.a);
        compare("I a", times(body.I, body.a), body.momentum_rate);
        compare("net", sum(body.momentum_rate, body.gyroscopic), body.net);
        compare("f", sum(body.net, body.carried_f), body.f);
        compare("τ", [body.S[0].reduce((total, s, k) => total + s * body.f[k], 0)], [lesson.tau[i - 1]]);
    });
    const unit = call({ do: "lesson", along, v: [0, 0, 0], a: [0, 1, 0], gravity: false });
    compare("a column of H", unit.tau, lesson.H.map((row) => row[1]));
    compare("the ground's acceleration", lesson.bodies[0].a, [0, 0, 0, 0, 0, 9.81]);
});
