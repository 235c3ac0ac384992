// The page in a real browser: what must be seen, what must react, and what must not happen.
//
//     PLUCKER=build/test/plucker node --test viewer/test/
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Browser } from "./browser.mjs";
import { kSolid } from "./picture.mjs";
import { trot } from "./recordings.mjs";

const plucker = process.env.PLUCKER;
const small = { width: 800, height: 520, scale: 0.5 };
let browser;
let folder;

before(async () => {
    assert.ok(plucker, "PLUCKER must name the tool");
    folder = mkdtempSync(join(tmpdir(), "plucker-viewer-"));
    browser = await Browser.start();
});
after(async () => {
    await browser?.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
});

function write(name, text) {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
}

// The page that the tool writes.
function view(output, ...inputs) {
    const path = join(folder, output);
    execFileSync(plucker, ["view", ...inputs, "--output", path], { stdio: ["ignore", "ignore", "inherit"] });
    return path;
}

function checkQuiet(tab) {
    assert.deepEqual(tab.complaints, []);
    const elsewhere = tab.requests.filter((url) => !url.startsWith("file:") && !url.startsWith("data:"));
    assert.deepEqual(elsewhere, [], "the page loads nothing from anywhere");
}

// What a frame costs: prints it.
async function measureFrame(tab, name, context) {
    const figures = await tab.evaluate(`(() => {
        const { viewer } = plucker;
        const gl = viewer.stage.renderer.getContext();
        const pixel = new Uint8Array(4);
        const updates = [], submitted = [], frames = [];
        for (let k = 0; k < 24; ++k) {
            const begin = performance.now();
            viewer.player.set(0.1 * k);
            updates.push(performance.now() - begin);
            viewer.stage.draw();
            submitted.push(performance.now() - begin);
            gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
            frames.push(performance.now() - begin);
        }
        const middle = (list) => list.sort((a, b) => a - b)[list.length >> 1];
        return { update: middle(updates), submitted: middle(submitted), frame: middle(frames), ...viewer.stage.renderer.info.render };
    })()`);
    context.diagnostic(`${name}: opened in ${tab.openedIn.toFixed(0)} ms; a frame: ${figures.update.toFixed(2)} ms to place everything, ${figures.submitted.toFixed(1)} ms with ${figures.calls} calls to draw ${figures.triangles} triangles, ${figures.frame.toFixed(0)} ms when the processor has drawn them`);
    // What makes a frame dear on a graphics card: the calls.
    assert.ok(figures.calls < 600, `${figures.calls} calls a frame`);
}

describe("a recording", () => {
    let tab;
    before(async () => {
        const page = view("trot.html", write("trot.jsonl", trot()), write("slow.jsonl", trot({ speed: 0.2 })));
        tab = await browser.open(page, small);
    });
    after(() => tab?.close());
    const time = () => tab.evaluate("plucker.viewer.player.time");
    const picture = () => tab.evaluate(kSolid);

    test("shows the robot, without a complaint and without the network", async () => {
        const { part } = await picture();
        assert.ok(part > 0.02, `${part} of the picture is solid`);
        await tab.evaluate("plucker.viewer.show('visual', false)");
        const hidden = await picture();
        assert.ok(hidden.part < 0.3 * part, `hidden, ${hidden.part} is solid`);
        await tab.evaluate("plucker.viewer.show('visual', true)");
        assert.equal(await tab.evaluate("document.title"), "quadruped");
        checkQuiet(tab);
    });

    test("plays and pauses", async () => {
        const before = await picture();
        await tab.key(" ", "Space");
        await tab.until("plucker.viewer.player.time > 0.3");
        await tab.key(" ", "Space");
        const stopped = await time();
        assert.notEqual((await picture()).sum, before.sum);
        await tab.drawn();
        assert.equal(await time(), stopped);
    });

    test("begins anew at its end", async () => {
        await tab.evaluate("{ const p = plucker.viewer.player; p.set(p.end - 0.01); p.playing = true; p.advance(0.05); p.playing = false; }");
        const now = await time();
        assert.ok(now < 0.1, `time is ${now}`);
    });

    test("goes to the time that is clicked at", async () => {
        const box = await tab.evaluate("(({ left, top, width, height }) => [left, top, width, height])(document.querySelector('input[type=range]').getBoundingClientRect())");
        await tab.click(box[0] + box[2] / 2, box[1] + box[3] / 2);
        assert.ok(Math.abs((await time()) - 2) < 0.2, `time is ${await time()}`);
        const curves = await tab.evaluate("(({ left, top, width, height }) => [left, top, width, height])(document.querySelector('.curves').getBoundingClientRect())");
        await tab.click(curves[0] + 56 + (curves[2] - 68) * 0.25, curves[1] + 40);
        assert.ok(Math.abs((await time()) - 1) < 0.1, `time is ${await time()}`);
    });

    test("goes instant by instant, slower and faster", async () => {
        await tab.evaluate("plucker.viewer.player.set(1)");
        await tab.key("ArrowRight");
        assert.ok(Math.abs((await time()) - 1.01) < 1e-9);
        await tab.key("ArrowLeft");
        await tab.key("ArrowLeft");
        assert.ok(Math.abs((await time()) - 0.99) < 1e-9);
        await tab.key("[");
        assert.equal(await tab.evaluate("plucker.viewer.player.speed"), 0.5);
        await tab.key("]");
        assert.equal(await tab.evaluate("plucker.viewer.player.speed"), 1);
    });

    test("poses are those that the tool computes", async () => {
        const state = JSON.parse(trot().split("\n")[101]);
        const input = write("state.json", JSON.stringify({ q: state.q }));
        const answer = JSON.parse(execFileSync(plucker, ["eval", "builtin:quadruped", "--state", input, "--quantity", "frames", "--frame", "hind_left_shank"]).toString());
        const expected = answer.frames.hind_left_shank.position;
        await tab.evaluate(`plucker.viewer.player.set(${state.time})`);
        const shown = await tab.evaluate("plucker.viewer.view.bodies[plucker.viewer.page.robot.bodies.findIndex((b) => b.name === 'hind_left_shank')].position.toArray()");
        shown.forEach((x, k) => assert.ok(Math.abs(x - expected[k]) < 1e-6, `${shown} is not ${expected}`));
    });

    test("shows the forces of an instant, and no others", async () => {
        const instants = trot().trim().split("\n").slice(1).map((line) => JSON.parse(line));
        for (const k of [0, 45, 123, 149, 150, 300, 400]) {
            const { time, contacts, pushes = [] } = instants[k];
            await tab.evaluate(`plucker.viewer.show('contacts', true), plucker.viewer.show('pushes', true), plucker.viewer.player.set(${time})`);
            const places = (arrows) =>
                tab.evaluate(`(({ count, instanceMatrix }) => Array.from({ length: count }, (_, k) => [...instanceMatrix.array.slice(16 * k + 12, 16 * k + 15)]))(plucker.viewer.overlays.${arrows}.shafts.mesh)`);
            const shown = await places("contacts");
            assert.equal(shown.length, contacts.length, `at ${time} s`);
            shown.forEach((place, n) => place.forEach((x, i) => assert.ok(Math.abs(x - contacts[n].position[i]) < 1e-6, `at ${time} s an arrow begins at ${place}`)));
            assert.equal((await places("pushes")).length, pushes.length, `at ${time} s`);
        }
    });

    test("shows and hides each layer", async () => {
        await tab.evaluate("plucker.viewer.player.set(1.23)");
        const layers = await tab.evaluate("plucker.viewer.layers()");
        assert.deepEqual([...layers].sort(), ["apart", "axes", "center", "collision", "cones", "contacts", "frames", "ghosts", "inertia", "pushes", "support", "trail", "visual"].sort());
        for (const layer of layers) {
            const before = await picture();
            await tab.evaluate(`document.querySelector('[data-layer=${layer}]').click()`);
            const changed = await picture();
            assert.notEqual(changed.sum, before.sum, `${layer} changes nothing`);
            await tab.evaluate(`document.querySelector('[data-layer=${layer}]').click()`);
            assert.equal((await picture()).sum, before.sum, `${layer} leaves something behind`);
        }
        checkQuiet(tab);
    });

    test("what shapes would hide is seen through them", async () => {
        const opaque = () => tab.evaluate("[...plucker.viewer.view.paint.known.values()].filter((material) => !material.transparent).length");
        const before = await opaque();
        assert.ok(before > 0);
        await tab.evaluate("plucker.viewer.select(1)");
        await tab.key("r");
        await tab.key("i");
        assert.equal(await opaque(), 0, "of glass while frames or ellipsoids are shown");
        await tab.key("r");
        assert.equal(await opaque(), 0);
        await tab.key("i");
        assert.equal(await opaque(), before, "and solid again");
        assert.equal(await tab.evaluate("plucker.viewer.selected"), 1);
        await tab.key("Escape");
    });

    test("looks from other sides, and follows", async () => {
        const camera = () => tab.evaluate("plucker.viewer.stage.camera.position.toArray()");
        const seen = new Set();
        for (const key of ["0", "1", "2", "3"]) {
            await tab.key(key);
            await tab.drawn();
            seen.add((await camera()).map((x) => x.toFixed(2)).join());
        }
        assert.equal(seen.size, 4);
        await tab.key("0");
        const went = async () => {
            await tab.evaluate("plucker.viewer.player.set(0)");
            const begin = await camera();
            await tab.evaluate("plucker.viewer.player.set(3)");
            return (await camera())[0] - begin[0];
        };
        const followed = await went();
        assert.ok(Math.abs(followed - 1.2) < 0.05, `a robot that goes far is followed: the camera went by ${followed} m, the robot by 1.2 m`);
        await tab.key("f");
        // The controls find the position from angles again, each frame: to rounding.
        const stayed = await went();
        assert.ok(Math.abs(stayed) < 1e-12, `a camera that does not follow stays: it went by ${stayed} m`);
        assert.equal(await tab.evaluate("document.querySelectorAll('.panel [title^=\"The camera goes along\"][aria-pressed=true]').length"), 0);
    });

    test("says what is under the pointer, and marks what is clicked", async () => {
        await tab.evaluate("plucker.viewer.player.set(0); plucker.viewer.stage.controls.target.set(0, 0, 0.3); plucker.viewer.look('side')");
        await tab.drawn();
        const [x, y] = await tab.evaluate("plucker.viewer.onScreen(1)");
        await tab.mouse("mouseMoved", x, y);
        await tab.until("!document.querySelector('.hint').hidden", 10);
        assert.match(await tab.evaluate("document.querySelector('.hint').textContent"), /kg/);
        await tab.click(x, y);
        assert.equal(await tab.evaluate("document.querySelectorAll('.tree [aria-selected=true]').length"), 1);
        await tab.key("Escape");
        assert.equal(await tab.evaluate("plucker.viewer.selected"), -1);
    });

    test("gives its curves as CSV", async () => {
        const rows = (await tab.evaluate("plucker.frame.csv()")).trim().split("\n");
        assert.equal(rows.length, 402);
        const names = rows[0].split(",");
        const at = names.indexOf("positions.base.position.x");
        assert.ok(at > 0, rows[0]);
        assert.ok(Math.abs(Number(rows[301].split(",")[at]) - 1.2) < 1e-6, rows[301]);
        // To the last digit of single precision, all of them.
        const shown = await tab.evaluate("(({ times, series }) => [times[123], ...series.map((s) => s.values[123])])(plucker.viewer.motion.data)");
        const written = rows[124].split(",").map(Number);
        assert.equal(written.length, shown.length);
        shown.forEach((x, k) => assert.ok(Math.abs(written[k] - x) <= 1e-7 * Math.abs(x), `${names[k]} is ${written[k]}, not ${x}`));
    });

    test("says what a frame costs", (context) => measureFrame(tab, "quadruped with a ghost", context));
});

test("the humanoid without a recording moves its joints, in the dark, on a phone", async (context) => {
    const tab = await browser.open(view("humanoid.html", "builtin:humanoid"), { width: 390, height: 600, scale: 0.5, dark: true });
    const { part } = await tab.evaluate(kSolid);
    assert.ok(part > 0.02, `${part} of the picture is solid`);
    assert.equal(await tab.evaluate("document.documentElement.dataset.theme"), "dark");
    assert.ok(await tab.evaluate("document.body.classList.contains('no-panel')"));
    assert.ok(await tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the screen");
    await measureFrame(tab, "humanoid", context);
    checkQuiet(tab);
    await tab.close();
});

test("ten minutes open quickly", async (context) => {
    const recording = write("long.jsonl", trot({ seconds: 600, rate: 100, speed: 0.01 }));
    const page = view("long.html", recording);
    const tab = await browser.open(page, { width: 400, height: 300, scale: 0.5 });
    const computed = await tab.processorSeconds();
    const { reading, building } = await tab.evaluate("plucker.milliseconds");
    context.diagnostic(`60 001 instants, ${(statSync(page).size / 1e6).toFixed(0)} MB: read in ${reading.toFixed(0)} ms, built in ${building.toFixed(0)} ms, opened in ${tab.openedIn.toFixed(0)} ms, of which the page computed ${(1000 * computed).toFixed(0)} ms`);
    // Arrays of numbers as they come, not an object an instant.
    assert.deepEqual(await tab.evaluate("[plucker.viewer.motion.data.times, plucker.viewer.motion.data.poses].map((x) => [ArrayBuffer.isView(x), x.length])"), [[true, 60001], [true, 60001 * 13 * 7]]);
    await tab.evaluate("plucker.viewer.player.set(599.5)");
    assert.equal(await tab.evaluate("plucker.viewer.motion.index"), 59950);
    checkQuiet(tab);
    await tab.close();
});

test("stairs and terrain are drawn, and what stands on them stands there", async () => {
    const stairs = view("stairs.html", write("stairs.jsonl", trot({ seconds: 0.2, world: {
        shapes: [{ name: "step", box: [1, 2, 0.1], position: [0.6, 0, 0.05], rotation: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] }],
    } })));
    let tab = await browser.open(stairs, { width: 400, height: 300, scale: 0.5 });
    const size = () => tab.evaluate("plucker.viewer.world.root.children.map((x) => x.position.toArray())");
    assert.deepEqual(await size(), [[0.6, 0, 0.05]]);
    assert.ok(await tab.evaluate("plucker.viewer.stage.floor.visible"), "around the stairs is ground");
    assert.ok((await tab.evaluate("plucker.viewer.stage.camera.position.x")) < 0, "from behind the robot, as the stairs would be before it");
    // The centre of mass is above the floor, or above the step where the robot is over it.
    await tab.key("m");
    await tab.drawn();
    const below = () => tab.evaluate("plucker.viewer.overlays.centerBelow.position.toArray()");
    assert.ok(Math.abs((await below())[2]) < 0.01, `on the floor, not at ${await below()}`);
    checkQuiet(tab);
    await tab.close();
    const hill = { origin: [-1, -1, 0.2], spacing: [1, 1], points: [3, 3], heights: [0, 0.1, 0.2, 0, 0.1, 0.2, 0, 0.1, 0.2] };
    tab = await browser.open(view("hill.html", write("hill.jsonl", trot({ seconds: 0.2, ground: false, world: { terrain: [hill] } }))), { width: 400, height: 300, scale: 0.5 });
    assert.ok(!(await tab.evaluate("plucker.viewer.stage.floor.visible")), "beyond the terrain is nothing");
    await tab.key("m");
    await tab.drawn();
    const [x, , z] = await below();
    assert.ok(Math.abs(z - (0.3 + 0.1 * x)) < 0.01, `on the slope, at ${z} m`);
    const { part } = await tab.evaluate(kSolid);
    assert.ok(part > 0.1, `${part} of the picture is solid`);
    checkQuiet(tab);
    await tab.close();
});

test("noise is a straight line, and long names keep their ends", async () => {
    const still = Array.from({ length: 3 }, (_, k) => JSON.stringify({ time: k, q: [1e-16 * k, 0, 0, 0, 0, 0, 0] }));
    const page = view("still.html", write("still.jsonl", `${JSON.stringify({ plucker: "recording", model: "builtin:arm" })}\n${still.join("\n")}\n`));
    let tab = await browser.open(page, { width: 800, height: 500, scale: 0.5 });
    await tab.evaluate("plucker.frame.showPlot('positions')");
    const [low, high] = await tab.evaluate("plucker.frame.plots.range(plucker.frame.plots.series())");
    assert.ok(low < -4e-7 && high > 4e-7, `from ${low} to ${high} rad`);
    await tab.close();
    tab = await browser.open(view("dog.html", "builtin:quadruped"), { width: 800, height: 500, scale: 0.5 });
    await tab.evaluate("plucker.frame.showPlot('positions')");
    const names = await tab.evaluate("[...document.querySelectorAll('.legend .name')].map((x) => [x.textContent, x.children[1].textContent, x.parentElement.title])");
    const [, end, title] = names.find(([name]) => name === "front_right_hip_flexion");
    assert.deepEqual([end, title], ["_hip_flexion", "front_right_hip_flexion: show or hide"]);
    checkQuiet(tab);
    await tab.close();
});

// It begins late, turns over more than once, and its instants are far apart.
test("a motion that begins late and turns over is shown as it was", async () => {
    const begin = 5, step = 0.25, angle = (time) => 1.1 * (time - begin);
    const lines = [JSON.stringify({ plucker: "recording", model: "builtin:pendulum", step })];
    for (let k = 0; k <= 60; ++k) lines.push(JSON.stringify({ time: begin + k * step, q: [angle(begin + k * step)], v: [1.1] }));
    const tab = await browser.open(view("turns.html", write("turns.jsonl", `${lines.join("\n")}\n`)), { width: 400, height: 300, scale: 0.5 });
    const end = begin + 60 * step;
    assert.deepEqual(await tab.evaluate("(({ begin, end, time }) => [begin, end, time])(plucker.viewer.player)"), [begin, end, begin]);
    // Between two instants it is between them: the rod hangs along -z at zero, and turns about y.
    const rod = "plucker.viewer.page.robot.bodies.findIndex((b) => b.name === 'rod')";
    for (let time = begin; time <= end; time += 0.37 * step) {
        await tab.evaluate(`plucker.viewer.player.set(${time})`);
        const [x, y, z, w] = await tab.evaluate(`plucker.viewer.view.bodies[${rod}].quaternion.toArray()`);
        const at = [2 * (x * z + w * y), 1 - 2 * (x * x + y * y)], turned = angle(time);
        assert.ok(Math.hypot(at[0] - Math.sin(turned), at[1] - Math.cos(turned)) < 1e-3, `at ${time} s its z is along ${at}, turned by ${turned}`);
    }
    // At its end it begins anew, where it began.
    const now = await tab.evaluate("(() => { const p = plucker.viewer.player; p.set(p.end - 0.01); p.playing = true; p.advance(0.05); p.playing = false; return p.time; })()");
    assert.ok(Math.abs(now - (begin + 0.04)) < 1e-9, `time is ${now}`);
    checkQuiet(tab);
    await tab.close();
});

test("meshes of files are drawn", async () => {
    const corners = [[0, 0, 0], [0.4, 0, 0], [0, 0.4, 0], [0, 0, 0.4]];
    const faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    const facet = (face) => `facet normal 0 0 0\nouter loop\n${face.map((k) => `vertex ${corners[k].join(" ")}`).join("\n")}\nendloop\nendfacet`;
    write("corner.stl", `solid corner\n${faces.map(facet).join("\n")}\nendsolid\n`);
    write("corner.obj", `${corners.map((c) => `v ${c.join(" ")}`).join("\n")}\n${faces.map((f) => `f ${f.map((k) => k + 1).join(" ")}`).join("\n")}\n`);
    const inertial = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>";
    const visual = (file, x) => `<visual><origin xyz='${x} 0 0'/><geometry><mesh filename='${file}'/></geometry></visual>`;
    const robot = write("meshes.urdf", `<robot name='meshes'><link name='base'/><link name='arm'>${inertial}${visual("corner.stl", 0)}${visual("corner.obj", 0.5)}</link>
        <joint name='hinge' type='continuous'><parent link='base'/><child link='arm'/><axis xyz='0 0 1'/></joint></robot>`);
    const tab = await browser.open(view("meshes.html", robot), { width: 400, height: 300, scale: 0.5 });
    assert.equal(await tab.evaluate("plucker.viewer.page.robot.meshes.length"), 2);
    const { part } = await tab.evaluate(kSolid);
    assert.ok(part > 0.02, `${part} of the picture is solid`);
    checkQuiet(tab);
    await tab.close();
});

test("nothing in a file can run a script", async () => {
    const names = [
        "</script><script>window.hacked = 1</script>",
        "<img src=x onerror='window.hacked = 2'>",
        "<!--<script>window.hacked = 3",
        "\\u003cscript>window.hacked = 4\\u003c/script> \u2028 \u2029 \" ' ${window.hacked = 5} {{script}} $& $`",
    ];
    const xml = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll("'", "&apos;");
    const inertial = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>";
    const links = names.map((name) => `<link name="${xml(name)}">${inertial}<visual name="${xml(name)}"><geometry><sphere radius="0.1"/></geometry></visual></link>`);
    const joints = names.slice(1).map((name, k) => `<joint name="j${xml(name)}" type="continuous"><parent link="${xml(names[k])}"/><child link="${xml(name)}"/><origin xyz="0 0 0.2"/><axis xyz="0 1 0"/></joint>`);
    const robot = write("hostile.urdf", `<robot name="${xml(names[0])}">${links.join("")}${joints.join("")}</robot>`);
    const zero = { time: 0, q: [0, 0, 0] };
    const recording = write("<img src=x onerror=window.hacked=6>.jsonl", `${JSON.stringify({ plucker: "recording", model: robot })}\n${JSON.stringify(zero)}\n${JSON.stringify({ ...zero, time: 1 })}\n`);
    const tab = await browser.open(view("hostile.html", recording), { width: 400, height: 300, scale: 0.5 });
    assert.equal(await tab.evaluate("window.hacked"), undefined);
    assert.equal(await tab.evaluate("document.querySelector('h1').textContent"), names[0]);
    assert.equal(await tab.evaluate("document.title"), names[0]);
    const shown = await tab.evaluate("[...document.querySelectorAll('.tree span')].map((span) => span.textContent)");
    assert.deepEqual(shown, ["world", ...names.slice(1)]);
    assert.equal(await tab.evaluate("document.images.length"), 0);
    // Even a script that got into the page would not run: it lacks the hash that the page asks for.
    await tab.evaluate("{ const s = document.createElement('script'); s.textContent = 'window.hacked = 7'; document.body.append(s); }");
    assert.equal(await tab.evaluate("window.hacked"), undefined);
    await tab.close();
});
