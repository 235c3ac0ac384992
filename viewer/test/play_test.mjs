// The page in which the library runs, in a real browser.
//
//     PLUCKER=build/test/plucker node --test viewer/test/play_test.mjs
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Browser } from "./browser.mjs";

const plucker = process.env.PLUCKER;
let browser;
let folder;
let tab;

before(async () => {
    folder = mkdtempSync(join(tmpdir(), "plucker-play-"));
    const page = process.env.PAGE ?? join(folder, "play.html");
    if (!process.env.PAGE) execFileSync(plucker, ["play", "builtin:exoskeleton", "--output", page], { stdio: ["ignore", "ignore", "inherit"] });
    browser = await Browser.start();
    tab = await browser.open(page, { width: 800, height: 520, scale: 0.5 });
});
after(async () => {
    await browser?.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
});

const torques = () => tab.evaluate("plucker.play.answer(['gravity_torque']).gravity_torque");

test("shows the exoskeleton, and its weight", async () => {
    const tau = await torques();
    assert.equal(tau.length, 14);
    assert.ok(Math.abs(tau[5] - 106 * 9.81) < 1e-9, `the base carries ${tau[5]} N`);
    assert.deepEqual(tab.complaints, []);
    assert.deepEqual(tab.requests.filter((url) => !url.startsWith("file:") && !url.startsWith("data:")), []);
});

test("moves a joint by its slider, and computes anew", async () => {
    const before = await torques();
    await tab.evaluate(`{
        const slider = document.querySelector('input[aria-label=left_hip_flexion]');
        slider.value = '-0.9';
        slider.dispatchEvent(new Event('input'));
    }`);
    const after = await torques();
    assert.ok(Math.abs(after[7] - before[7]) > 10, `${before[7]} N m, then ${after[7]} N m`);
    assert.ok(Math.abs(after[5] - before[5]) < 1e-9, "the weight stays");
    await tab.evaluate("document.querySelector('[data-group=\"gravity torque\"]').click()");
    await tab.drawn();
    const shown = await tab.evaluate("[...document.querySelectorAll('.bars .name')].map((x) => x.textContent)");
    assert.equal(shown[7], "left_hip_flexion");
});

test("has M, C, Jacobian and energies", async () => {
    for (const name of ["mass matrix M", "Coriolis matrix C", "Jacobian", "energy"]) {
        await tab.evaluate(`document.querySelector('[data-group="${name}"]').click()`);
        await tab.until(name === "energy" ? "document.querySelectorAll('.strip .value').length === 3" : "document.querySelectorAll('.heat td').length >= 84");
    }
    const matrix = await tab.evaluate("plucker.play.answer(['mass_matrix']).mass_matrix");
    assert.ok(Math.abs(matrix[3][3] - 106) < 1e-9);
    assert.deepEqual(tab.complaints, []);
});

test("reads the entry of a matrix that is pointed at", async () => {
    await tab.evaluate("document.querySelector('[data-group=\"mass matrix M\"]').click()");
    await tab.until("document.querySelectorAll('.heat tr').length === 14");
    assert.match(await tab.evaluate("document.querySelector('.entry').textContent"), /Point at an entry/);
    await tab.evaluate("document.querySelectorAll('.heat tr')[3].querySelectorAll('td')[3].dispatchEvent(new PointerEvent('pointerenter'))");
    assert.equal(await tab.evaluate("document.querySelector('.entry').textContent"), "106 base.linear.x, base.linear.x");
    await tab.evaluate("plucker.play.move(7, -0.5)");
    await tab.drawn();
    assert.match(await tab.evaluate("document.querySelector('.entry').textContent"), /^106 /, "and goes on with the next numbers");
    await tab.evaluate("plucker.play.reset(); document.querySelector('[data-group=energy]').click()");
});

test("answers to keys, and tells them", async () => {
    const camera = () => tab.evaluate("plucker.viewer.stage.camera.position.toArray()");
    const seen = new Set();
    for (const key of ["0", "1", "2", "3"]) {
        await tab.key(key);
        await tab.drawn();
        seen.add((await camera()).map((x) => x.toFixed(2)).join());
    }
    assert.equal(seen.size, 4);
    await tab.key("0");
    await tab.key("f");
    assert.ok(await tab.evaluate("plucker.viewer.following"));
    await tab.key("f");
    await tab.key("?");
    const told = await tab.evaluate("document.querySelector('dialog[open]').textContent");
    for (const word of ["Playing with a robot", "run, pause", "home, front, side, top", "contact forces"]) assert.ok(told.includes(word), told);
    await tab.evaluate("document.querySelector('dialog[open]').close()");
    assert.deepEqual(tab.complaints, []);
});

// Runs the simulation for so long, whatever the browser's own clock does meanwhile.
const simulate = (seconds) =>
    tab.evaluate(`{
        const { play } = plucker;
        play.run(true);
        for (let k = 0; k < ${Math.round(100 * seconds)}; ++k) { play.running.cost = 0; play.advance(0.01); }
        play.run(false);
    }`);
const height = () => tab.evaluate("plucker.play.last.q[2]");

test("lets the robot fall, and shows the forces that stop it", async () => {
    await choose("quadruped");
    await tab.evaluate("[...document.querySelectorAll('.panel button')].find((x) => x.textContent === 'hold (PD)').click()");
    const stands = await tab.evaluate("plucker.play.running.begin(plucker.play.wishes()).q[2]");
    await tab.evaluate("plucker.play.dropFrom(0.4); plucker.play.run(false)");
    assert.ok(Math.abs((await height()) - stands - 0.4) < 1e-3, `it begins at ${await height()} m, 0.4 m above ${stands} m`);
    const [x, y, wide] = await tab.evaluate("[...plucker.viewer.onScreen(1), plucker.viewer.stage.element.clientWidth]");
    assert.ok(x > 0 && x < wide - 314 && y > 0, `it is in the picture: at ${x}, ${y}`);
    await simulate(1.5);
    const now = await height();
    assert.ok(Math.abs(now - stands) < 0.02, `it stands again at ${now} m`);
    await tab.drawn();
    assert.ok((await tab.evaluate("plucker.viewer.motion.data.contacts.links.length")) >= 4);
    const shown = await tab.evaluate("[...document.querySelectorAll('.strip .value')].map((x) => Number(x.textContent))");
    assert.ok(shown[0] < 0.01 && shown[1] > 20 && Math.abs(shown[0] + shown[1] - shown[2]) < 0.01, `energies: ${shown} J`);
    await tab.evaluate("plucker.play.reset()");
    assert.equal(await tab.evaluate("plucker.play.time"), 0);
    assert.deepEqual(tab.complaints, []);
});

test("pulls a link with the mouse", async () => {
    await tab.evaluate("plucker.viewer.look('side')");
    await tab.drawn();
    const [x, y] = await tab.evaluate("plucker.viewer.onScreen(1)");
    const camera = () => tab.evaluate("plucker.viewer.stage.camera.position.toArray()");
    const seen = await camera();
    await tab.mouse("mousePressed", x, y, { button: "left", buttons: 1, clickCount: 1 });
    await tab.mouse("mouseMoved", x, y - 80, { button: "left", buttons: 1 });
    assert.ok(await tab.evaluate("plucker.play.running.isRunning"), "a pull runs the simulation");
    const before = await tab.evaluate("plucker.play.stateNow().q[2]");
    await simulate(1);
    const pulled = await height();
    assert.ok(pulled > before + 0.05, `pulled up, its base goes from ${before} m to ${pulled} m`);
    await tab.mouse("mouseReleased", x, y - 80, { button: "left", buttons: 0 });
    assert.equal(await tab.evaluate("plucker.play.hold"), undefined);
    await simulate(1);
    assert.ok((await height()) < pulled - 0.05, "let go, it comes down");
    (await camera()).forEach((c, k) => assert.ok(Math.abs(c - seen[k]) < 1e-9, "the camera stays"));
    assert.deepEqual(tab.complaints, []);
});

test("switches gravity, ground, friction and controller", async () => {
    const press = (name) => tab.evaluate(`[...document.querySelectorAll('.panel button')].find((x) => x.textContent === ${JSON.stringify(name)}).click()`);
    await tab.evaluate("plucker.play.reset()");
    await press("none"); // of gravity, which comes first
    const [, , , , , weight] = await torques();
    assert.ok(Math.abs(weight) < 1e-9, `without gravity it weighs ${weight} N`);
    await press("Moon");
    assert.ok(Math.abs((await torques())[5] - 14 * 1.62) < 1e-9);
    await press("no ground");
    await press("gravity comp.");
    const before = await tab.evaluate("plucker.play.running.begin(plucker.play.wishes()).frame.center[2]");
    await simulate(0.5);
    const fallen = before - (await tab.evaluate("plucker.play.last.frame.center[2]"));
    assert.ok(Math.abs(fallen - 0.5 * 1.62 * 0.25) < 1e-3, `its centre of mass falls by ${fallen} m`);
    await tab.evaluate("plucker.play.reset()");
    await press("Earth");
    await press("ground");
    assert.deepEqual(tab.complaints, []);
});

const choose = async (name) => {
    await tab.evaluate(`{ const list = document.querySelector('select'); list.value = '${name}'; list.dispatchEvent(new Event('change')); }`);
    await tab.until(`document.querySelector('h1').textContent === '${name}'`);
};
const drop = (text, name) =>
    tab.evaluate(`{
        const data = new DataTransfer();
        data.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
        window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
    }`);
const inertial = (mass) => `<inertial><mass value='${mass}'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>`;
const robot = (mass, name = "dropped", link = "arm") => `<robot name='${name}'><link name='base'/><link name='${link}'>${inertial(mass)}</link><joint name='hinge' type='continuous'><parent link='base'/><child link='${link}'/><axis xyz='0 1 0'/></joint></robot>`;
const said = () => tab.evaluate("document.querySelector('dialog.findings').textContent");
const refused = async () => {
    await tab.until("document.querySelector('dialog.findings').open");
    const text = await said();
    await tab.evaluate("document.querySelector('dialog.findings').close()");
    return text;
};

test("loads a URDF that is dropped, and refuses a broken one in words", async () => {
    await choose("exoskeleton");
    await drop(robot(-3), "bad.urdf");
    assert.match(await refused(), /bad\.urdf:1: error: .*mass is -3 kg/);
    assert.equal(await tab.evaluate("document.querySelector('h1').textContent"), "exoskeleton");
    await drop("<sdf version='1.6'><model name='m'/></sdf>", "robot.sdf");
    assert.match(await refused(), /robot\.sdf: the page reads URDF.*plucker convert robot\.sdf/);
    await drop(robot(2), "good.urdf");
    await tab.until("document.querySelector('h1').textContent === 'dropped'");
    assert.equal((await torques()).length, 1);
    // It stands in the list, and can be come back to.
    assert.equal(await tab.evaluate("plucker.play.gallery.selectedOptions[0].textContent"), "dropped");
    await choose("exoskeleton");
    await tab.evaluate("{ const list = document.querySelector('select'); list.value = 'brought'; list.dispatchEvent(new Event('change')); }");
    await tab.until("document.querySelector('h1').textContent === 'dropped'");
});

test("plays what it was given in MJCF: its free base and its gravity come along", { skip: process.env.PAGE ? "the page was given" : false }, async () => {
    const file = join(folder, "crate.xml");
    writeFileSync(file, "<mujoco model='crate'><option gravity='0 0 -3.7'/><worldbody><body name='crate' pos='0 0 1'><freejoint/><geom type='box' size='.1 .1 .1' mass='2'/></body></worldbody></mujoco>");
    const page = join(folder, "crate.html");
    const said = execFileSync(plucker, ["play", file, "--output", page], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    assert.match(said, /a page that needs nothing else/);
    const other = tab;
    tab = await browser.open(page, { width: 800, height: 520, scale: 0.5 });
    const tau = await torques();
    assert.equal(tau.length, 6);
    assert.ok(Math.abs(tau[5] - 2 * 3.7) < 1e-9, `it weighs ${tau[5]} N`);
    assert.deepEqual(await tab.evaluate("[...plucker.play.gallery.options].slice(0, 2).map((x) => x.textContent)"), ["crate", "exoskeleton"]);
    await tab.evaluate("plucker.play.dropFrom(0.2); plucker.play.run(false)");
    await simulate(0.8);
    const { q } = await tab.evaluate("plucker.play.last");
    assert.ok(Math.abs(q[2] - 0.1) < 1e-4, `it rests at ${q[2]} m`);
    assert.deepEqual(tab.complaints, []);
    await tab.close();
    tab = other;
});

test("shows names of a dropped file as text", async () => {
    const hostile = "&lt;img src=x onerror=window.hacked=1&gt;&lt;/script&gt;";
    await drop(robot(2, hostile, hostile), "<img src=x onerror=window.hacked=2>.urdf");
    await tab.until("document.querySelector('h1').textContent.startsWith('<img')");
    await drop(robot(-2, hostile, hostile), "<img src=x onerror=window.hacked=2>.urdf");
    assert.match(await refused(), /<img src=x onerror=window.hacked=2>[.]urdf:1: error/);
    await simulate(0.1);
    assert.equal(await tab.evaluate("window.hacked"), undefined);
    assert.equal(await tab.evaluate("document.images.length"), 0);
});

test("has a gallery of the built-in robots, the exoskeleton and the lamp first", async () => {
    await tab.evaluate("document.querySelector('[data-mode=Gallery]').click()");
    await tab.until("plucker.gallery.isDone");
    const cards = await tab.evaluate(`[...document.querySelectorAll('[data-robot]')].map((card) => {
        const canvas = card.querySelector('canvas');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        let solid = 0;
        for (let k = 3; k < data.length; k += 4) if (data[k] > 250) ++solid;
        return { name: card.dataset.robot, facts: card.querySelector('small').textContent, part: (4 * solid) / data.length };
    })`);
    assert.deepEqual(cards.slice(0, 2).map(({ name, facts }) => [name, facts]), [["exoskeleton", "106 kg · 9 bodies · 14 freedoms"], ["lamp", "1.75 kg · 5 bodies · 5 freedoms"]]);
    assert.equal(cards.find(({ name }) => name === "pendulum").facts, "1 kg · 1 body · 1 freedom");
    assert.deepEqual(["brought", ...cards.map(({ name }) => name)], await tab.evaluate("[...plucker.play.gallery.options].map((x) => x.value)"));
    for (const { name, part } of cards) assert.ok(part > 0.002 && part < 0.9, `${name}: ${part} of its picture is solid`);
    await tab.evaluate("document.querySelector('[data-robot=lamp]').click()");
    assert.equal(await tab.evaluate("document.querySelector('h1').textContent"), "lamp");
    assert.equal(await tab.evaluate("document.querySelectorAll('[data-robot]').length"), 0, "the gallery makes room");
    assert.equal((await torques()).length, 5);
    // A file that is dropped there is loaded too.
    await tab.evaluate("document.querySelector('[data-mode=Gallery]').click()");
    await drop(robot(2, "brought"), "brought.urdf");
    await tab.until("document.querySelector('h1').textContent === 'brought'");
    assert.deepEqual(tab.complaints, []);
});

test("shows robots whole on a phone, below what lies over the picture", { skip: process.env.PAGE ? "the page was given" : false }, async () => {
    const page = join(folder, "phone.html");
    execFileSync(plucker, ["play", "builtin:humanoid", "--output", page], { stdio: ["ignore", "ignore", "inherit"] });
    const phone = await browser.open(page, { width: 390, height: 844, scale: 0.5 });
    const seen = () => phone.evaluate(`(() => {
        const { viewer } = plucker;
        viewer.stage.camera.updateMatrixWorld();
        const chooser = document.querySelector('.chooser').getBoundingClientRect();
        const picture = viewer.stage.renderer.domElement.getBoundingClientRect();
        const { min, max } = viewer.bounds();
        const ends = [max, min].map((corner) => corner.clone().setX(0).setY(0).project(viewer.stage.camera));
        return [...ends.map(({ y }) => picture.top + ((1 - y) / 2) * picture.height), chooser.bottom, picture.bottom];
    })()`);
    for (const key of ["0", "1", "2"]) {
        await phone.key(key);
        await phone.drawn();
        const [head, feet, chooser, bottom] = await seen();
        assert.ok(head > chooser && feet < bottom, `from ${head} to ${feet} pixels, below ${chooser} and above ${bottom}`);
    }
    await phone.evaluate("document.querySelector('[data-mode=Learn]').click()");
    await phone.drawn();
    const [title, tools] = await phone.evaluate("['.title h1', '.tools'].map((x) => document.querySelector(x).getBoundingClientRect()).map(({ left, right }) => [left, right])");
    assert.ok(title[1] <= tools[0], `the title ends at ${title[1]}, before the buttons at ${tools[0]}`);
    assert.deepEqual(phone.complaints, []);
    await phone.close();
});

test("begins with the gallery where no robot is named", { skip: process.env.PAGE ? "the page was given" : false }, async () => {
    const page = join(folder, "gallery.html");
    execFileSync(plucker, ["play", "--output", page], { stdio: ["ignore", "ignore", "inherit"] });
    const begun = await browser.open(page, { width: 390, height: 700, scale: 0.5, dark: true });
    assert.equal(await begun.evaluate("document.querySelector('h1').textContent"), "Robots to play with");
    assert.ok(await begun.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the screen");
    await begun.evaluate("document.querySelector('[data-mode=Play]').click()");
    assert.equal(await begun.evaluate("document.querySelector('h1').textContent"), "exoskeleton");
    assert.deepEqual(begun.complaints, []);
    await begun.close();
});

test("runs built-in robots", async (context) => {
    for (const name of ["lamp", "humanoid"]) {
        await choose(name);
        const begin = performance.now();
        await simulate(0.3);
        context.diagnostic(`${name}: 0.3 s simulated in ${(performance.now() - begin).toFixed(0)} ms`);
        assert.ok(Math.abs((await tab.evaluate("plucker.play.last.time")) - 0.3) < 1e-9);
    }
    assert.equal((await torques()).length, 36);
    assert.deepEqual(tab.complaints, []);
});

test("teaches Newton and Euler", async (context) => {
    await tab.evaluate("document.querySelector('[data-mode=Learn]').click()");
    await tab.until("document.querySelector('.where').textContent === 'body 1 of 3: link1'");
    const shown = () => tab.evaluate("[...document.querySelectorAll('.equation .strong td')].slice(0, 6).map((x) => Number(x.textContent))");
    const velocity = await shown();
    assert.ok(Math.abs(velocity[2] - 1.2) < 1e-9, `body 1 turns about its own axis by ${velocity}`);
    const seen = [];
    for (let k = 0; k < 3 * 5 + 3; ++k) {
        await tab.evaluate("plucker.lesson.step(1)");
        await tab.drawn();
        seen.push(await tab.evaluate("document.querySelector('[aria-selected=true]').textContent + ' ' + document.querySelector('.where').textContent"));
    }
    assert.deepEqual(seen.slice(0, 3), ["Velocity body 2 of 3: link2", "Velocity body 3 of 3: link3", "Acceleration body 1 of 3: link1"]);
    assert.equal(seen[8], "Joint force body 3 of 3: link3", "inwards");
    assert.equal(seen[17].slice(0, 16), "Forward dynamics");
    const labels = async () => tab.evaluate("[...document.querySelectorAll('.labels > span')].map((x) => x.textContent)");
    assert.equal(await tab.evaluate("plucker.viewer.selected"), -1, "no body is spoken of");
    await tab.evaluate("plucker.lesson.go(2, 3)");
    assert.equal(await tab.evaluate("plucker.viewer.selected"), 3);
    await tab.evaluate("plucker.lesson.go(5, 2)");
    assert.equal(await tab.evaluate("plucker.viewer.selected"), 2);
    const colours = await tab.evaluate("plucker.viewer.page.robot.links.flatMap(({ visuals }) => visuals.filter(({ rgba }) => rgba).length).reduce((a, b) => a + b, 0)");
    assert.equal(colours, 0, "only what is spoken of has a colour");
    await tab.drawn();
    const columns = await tab.evaluate("[...document.querySelectorAll('.equation figure')].map((x) => [x.firstChild.textContent, [...x.querySelectorAll('tr:first-child td')].map((cell) => cell.textContent)])");
    const [, H] = columns.find(([name]) => name === "H");
    assert.ok(H[0] !== "" && H[1] !== "" && H[2] === "", `two columns of three are filled: ${H}`);
    const [, [taken]] = columns.find(([name]) => name === "τ");
    assert.ok(Math.abs(Number(H[1]) - Number(taken)) <= 1e-5, `column 2, ${H[1]}, is what its acceleration takes, ${taken}`);
    await tab.evaluate("plucker.lesson.go(0, 2)");
    await tab.drawn();
    assert.ok((await labels()).some((x) => x.startsWith("ω")) && !(await labels()).some((x) => x.endsWith("3")), "arrows go as far as the recursion");
    await tab.evaluate("plucker.lesson.swing(true)");
    await tab.until("Math.abs(plucker.lesson.phase) > 0.1");
    await tab.evaluate("plucker.lesson.swing(false)");
    const figures = await tab.evaluate(`(() => {
        const { lesson } = plucker;
        const begin = performance.now();
        for (let k = 0; k < 20; ++k) lesson.compute();
        return (performance.now() - begin) / 20;
    })()`);
    context.diagnostic(`the lesson's own work ${figures.toFixed(2)} ms a frame`);
    await tab.evaluate("document.querySelector('[data-mode=Play]').click()");
    await tab.until("document.querySelector('h1').textContent === 'humanoid'");
    assert.deepEqual(tab.complaints, []);
});

test("lets the meshes of its own robot touch", { skip: process.env.PAGE ? "the page was given" : false }, async () => {
    const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [0.1 * x, 0.1 * y, 0.1 * z])));
    const faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]];
    writeFileSync(join(folder, "cube.obj"), `${corners.map((c) => `v ${c.join(" ")}`).join("\n")}\n${faces.map((f) => `f ${f.map((k) => k + 1).join(" ")}`).join("\n")}\n`);
    const mesh = "<geometry><mesh filename='cube.obj'/></geometry>";
    writeFileSync(join(folder, "cube.urdf"), `<robot name='cube'><link name='cube'>${inertial(1)}<visual>${mesh}</visual><collision>${mesh}</collision></link></robot>`);
    const page = join(folder, "cube.html");
    execFileSync(plucker, ["play", join(folder, "cube.urdf"), "--floating", "--output", page], { stdio: ["ignore", "ignore", "inherit"] });
    const other = tab;
    tab = await browser.open(page, { width: 800, height: 520, scale: 0.5 });
    await tab.evaluate("plucker.play.dropFrom(0.2); plucker.play.run(false)");
    await simulate(0.6);
    const { q, frame } = await tab.evaluate("plucker.play.last");
    assert.ok(Math.abs(q[2] - 0.1) < 1e-4 && Object.keys(frame.contacts.links).length === 4, `it rests at ${q[2]} m`);
    assert.deepEqual(tab.complaints, []);
    await tab.close();
    tab = other;
});

test("opens and runs in time", async (context) => {
    const own = await tab.evaluate("plucker.milliseconds.library");
    await choose("quadruped");
    const frame = await tab.evaluate(`(() => {
        const { play } = plucker;
        play.run(true);
        const times = [];
        for (let k = 0; k < 40; ++k) { const begin = performance.now(); play.advance(0.016); play.compute(); times.push(performance.now() - begin); }
        play.run(false);
        return times.sort((a, b) => a - b)[20];
    })()`);
    context.diagnostic(`opened in ${tab.openedIn.toFixed(0)} ms, of which the library takes ${own.toFixed(0)} ms; a frame of the simulated quadruped, 16 steps: ${frame.toFixed(1)} ms before it is drawn`);
    // Where the page cannot keep up, time goes slower; the picture still moves.
    assert.ok((await tab.evaluate("plucker.play.running.rate")) > 0);
});
