// The name of what is under the pointer, beside it.
import { element, shortNumber } from "./dom";
import type { Viewer } from "./viewer";

export class Hint {
    readonly root = element("div", { class: "hint", role: "status", hidden: "" });

    // Of the robot that is shown now.
    constructor(public viewer?: Viewer) {}

    listen(stageElement: HTMLElement): void {
        stageElement.addEventListener("pointermove", (event) => {
            if (this.viewer && event.buttons === 0 && event.target === this.viewer.stage.renderer.domElement) this.show(this.viewer, event, stageElement);
            else this.root.hidden = true;
        });
        stageElement.addEventListener("pointerleave", () => (this.root.hidden = true));
    }

    private show(viewer: Viewer, event: PointerEvent, stageElement: HTMLElement): void {
        const found = viewer.under(event);
        this.root.hidden = found === undefined;
        if (!found) return;
        const body = viewer.page.robot.bodies[found.body];
        const lines = [element("b", {}, found.link)];
        if (body.joint) lines.push(element("span", {}, `${body.joint.type} joint ${body.joint.name}`));
        if (body.mass) lines.push(element("span", {}, `${shortNumber(body.mass)} kg`));
        this.root.replaceChildren(...lines);
        const box = stageElement.getBoundingClientRect();
        const x = Math.min(event.clientX - box.left + 14, box.width - this.root.offsetWidth - 8);
        const y = Math.min(event.clientY - box.top + 14, box.height - this.root.offsetHeight - 8);
        this.root.style.transform = `translate(${x}px, ${y}px)`;
    }
}
