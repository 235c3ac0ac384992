// The pages in Firefox, where it is installed, with Xvfb: that they open from a file, show, move and compute.
//
//     PLUCKER=build/test/plucker node --test viewer/test/firefox_test.mjs
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Firefox } from "./firefox.mjs";
import { kSolid } from "./picture.mjs";
import { trot } from "./recordings.mjs";

const plucker = process.env.PLUCKER;
const skip = Firefox.isMissing();
let firefox;
let folder;

before(async () => {
    if (skip) return;
    folder = mkdtempSync(join(tmpdir(), "plucker-firefox-pages-"));
    firefox = await Firefox.start([900, 640]);
});
after(async () => {
    await firefox?.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
});

function page(command, ...words) {
    const path = join(folder, `${command}.html`);
    execFileSync(plucker, [command, ...words, "--output", path], { stdio: ["ignore", "ignore", "inherit"] });
    return path;
}

test("shows and plays a recording", { skip }, async (context) => {
    const recording = join(folder, "trot.jsonl");
    writeFileSync(recording, trot());
    await firefox.open(page("view", recording));
    const { part, sum } = await firefox.evaluate(kSolid);
    assert.ok(part > 0.02, `${part} of the picture is solid`);
    await firefox.press(" ");
    await firefox.until("plucker.viewer.player.time > 0.3");
    await firefox.press(" ");
    assert.notEqual((await firefox.evaluate(kSolid)).sum, sum, "it moves");
    const time = await firefox.evaluate("plucker.viewer.player.time");
    await firefox.press("\uE014"); // arrow to the right
    await firefox.until(`plucker.viewer.player.time > ${time}`);
    assert.match(await firefox.evaluate("plucker.frame.csv()"), /^time,.*\n0,/);
    context.diagnostic(`Firefox opens the recording in ${firefox.openedIn.toFixed(0)} ms`);
});

test("runs the library: computes, simulates, pulls, refuses", { skip }, async (context) => {
    await firefox.open(page("play", "builtin:exoskeleton"));
    const tau = await firefox.evaluate("plucker.play.answer(['gravity_torque']).gravity_torque");
    assert.ok(Math.abs(tau[5] - 106 * 9.81) < 1e-9, `the base carries ${tau[5]} N`);
    assert.ok((await firefox.evaluate(kSolid)).part > 0.02);
    context.diagnostic(`Firefox opens the page with the library in ${firefox.openedIn.toFixed(0)} ms`);

    await firefox.evaluate("(() => { const list = document.querySelector('select'); list.value = 'quadruped'; list.dispatchEvent(new Event('change')); })()");
    const run = (seconds) => firefox.evaluate(`(() => {
        const { play } = plucker;
        play.run(true);
        for (let k = 0; k < ${100 * seconds}; ++k) { play.running.cost = 0; play.advance(0.01); }
        play.run(false);
        return play.last.q[2];
    })()`);
    await firefox.evaluate("[...document.querySelectorAll('.panel button')].find((x) => x.textContent === 'hold (PD)').click()");
    const before = await run(0.2); // in Firefox's own WebAssembly
    await firefox.evaluate("plucker.viewer.look('side')");
    await firefox.drawn();
    const [x, y] = (await firefox.evaluate("plucker.viewer.onScreen(1)")).map(Math.round);
    const mouse = (...actions) => firefox.act({ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions });
    const move = (dy) => ({ type: "pointerMove", x, y: y + dy, duration: 50, origin: "viewport" });
    await mouse(move(0), { type: "pointerDown", button: 0 }, move(-40), move(-80));
    assert.ok(await firefox.evaluate("Boolean(plucker.play.hold) && plucker.play.running.isRunning"), "the mouse holds a link");
    const pulled = await run(1);
    assert.ok(pulled > before + 0.05, `pulled up, its base goes from ${before} m to ${pulled} m`);
    await mouse({ type: "pointerUp", button: 0 });
    assert.ok(!(await firefox.evaluate("Boolean(plucker.play.hold)")));

    await firefox.evaluate(`(() => {
        const data = new DataTransfer();
        data.items.add(new File(["<robot name='r'><link name='a'><inertial><mass value='-3'/></inertial></link></robot>"], "bad.urdf"));
        window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
    })()`);
    await firefox.until("document.querySelector('dialog.findings').open");
    assert.match(await firefox.evaluate("document.querySelector('dialog.findings').textContent"), /bad\.urdf:1: error: .*mass is -3 kg/);
});

test("teaches", { skip }, async () => {
    await firefox.open(page("learn"));
    await firefox.until("document.querySelector('.where').textContent === 'body 1 of 3: link1'");
    await firefox.press("\uE014");
    await firefox.until("document.querySelector('.where').textContent === 'body 2 of 3: link2'");
});
