// The page begins here.
import { readPage } from "./data";
import { element } from "./dom";
import { PageFrame } from "./frame";
import { Viewer } from "./viewer";

function start(): void {
    const app = document.getElementById("app")!;
    const begin = performance.now();
    const page = readPage();
    const read = performance.now();
    const stageElement = element("main", { class: "stage" });
    app.append(stageElement);
    const viewer = new Viewer(page, stageElement);
    const frame = new PageFrame(viewer, app, stageElement);
    const built = performance.now();
    viewer.stage.resize();
    viewer.stage.look("corner");
    let before = performance.now();
    let frames = 0;
    const tick = (now: number) => {
        const seconds = (now - before) / 1000;
        before = now;
        viewer.player.advance(seconds);
        if (viewer.stage.draw()) ++frames;
        requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    // For tests, and for whoever opens the console.
    Object.assign(window, {
        plucker: { viewer, frame, milliseconds: { reading: read - begin, building: built - read }, frames: () => frames },
    });
}

try {
    start();
} catch (error) {
    console.error(error);
    const said = error instanceof Error ? error.message : String(error);
    const hint = /webgl/i.test(said) ? " This browser cannot draw in three dimensions (WebGL is missing or switched off)." : "";
    document.getElementById("app")!.replaceChildren(element("p", { class: "failure" }, `The robot cannot be shown: ${said.replace(/\.$/, "")}.${hint}`));
}
