// The page in which the library runs, in a real browser.
//
//     PLUCKER=build/test/plucker node --test viewer/test/play_test.mjs
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
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
    await tab.drawn();
    const shown = await tab.evaluate("[...document.querySelectorAll('.bars .name')].map((x) => x.textContent)");
    assert.equal(shown[7], "left_hip_flexion");
});

test("has M, C, Jacobian and energies", async () => {
    for (const name of ["mass matrix M", "Coriolis matrix C", "Jacobian", "energy"]) {
        await tab.evaluate(`document.querySelector('[data-group="${name}"]').click()`);
        await tab.until(name === "energy" ? "document.querySelectorAll('.bars .name').length === 3" : "document.querySelectorAll('.heat td').length >= 84");
    }
    const matrix = await tab.evaluate("plucker.play.answer(['mass_matrix']).mass_matrix");
    assert.ok(Math.abs(matrix[3][3] - 106) < 1e-9);
    assert.deepEqual(tab.complaints, []);
});

test("loads a URDF that is dropped, and refuses a broken one in words", async () => {
    const drop = (text, name) =>
        tab.evaluate(`{
            const data = new DataTransfer();
            data.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
            window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
        }`);
    const inertial = (mass) => `<inertial><mass value='${mass}'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>`;
    const robot = (mass) => `<robot name='dropped'><link name='base'/><link name='arm'>${inertial(mass)}</link><joint name='hinge' type='continuous'><parent link='base'/><child link='arm'/><axis xyz='0 1 0'/></joint></robot>`;
    await drop(robot(-3), "bad.urdf");
    await tab.until("document.querySelector('dialog.findings').open");
    assert.match(await tab.evaluate("document.querySelector('dialog.findings').textContent"), /bad\.urdf:1: error: .*mass is -3 kg/);
    assert.equal(await tab.evaluate("document.querySelector('h1').textContent"), "exoskeleton");
    await tab.evaluate("document.querySelector('dialog.findings').close()");
    await drop(robot(2), "good.urdf");
    await tab.until("document.querySelector('h1').textContent === 'dropped'");
    assert.equal((await torques()).length, 1);
});

test("has a gallery of the built-in robots, the exoskeleton and the lamp first", async () => {
    const names = await tab.evaluate("[...document.querySelectorAll('option')].map((x) => x.value)");
    assert.deepEqual(names.slice(0, 2), ["exoskeleton", "lamp"]);
    await tab.evaluate("{ const list = document.querySelector('select'); list.value = 'humanoid'; list.dispatchEvent(new Event('change')); }");
    await tab.until("document.querySelector('h1').textContent === 'humanoid'");
    assert.equal((await torques()).length, 36);
});
