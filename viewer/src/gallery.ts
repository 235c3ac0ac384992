// The built-in robots at a glance; a click takes one to play with.
import * as three from "three";
import { element, factsOf } from "./dom";
import type { Library } from "./library";
import type { Mode } from "./mode";
import { Viewer } from "./viewer";

// The robots in the order in which they are shown, and what to say of them: the exoskeleton and the lamp first.
const kSays: Record<string, string> = {
    exoskeleton: "A person who wears motors at hips, knees and ankles",
    lamp: "A lamp that jumps, in a plane",
    humanoid: "Thirty joints from head to toe",
    quadruped: "A dog with three motors a leg",
    arm: "Seven motors, one more than a hand needs",
    cart_pole: "A pole to balance, on a cart",
    double_pendulum: "Two joints: where chaos begins",
    pendulum: "One joint: where mechanics begins",
    particle: "A point mass on two slides",
};

export function inOrder(names: string[]): string[] {
    const known = Object.keys(kSays);
    const place = (name: string) => (known.includes(name) ? known.indexOf(name) : known.length);
    return [...names].sort((a, b) => place(a) - place(b));
}

interface Card {
    name: string;
    canvas: HTMLCanvasElement;
    facts: HTMLElement;
}

export class Gallery implements Mode {
    readonly name = "Gallery";
    readonly viewer = undefined;
    private readonly cards: Card[] = [];
    private readonly waiting: Card[] = []; // without a picture yet
    private isDark?: boolean;
    private readonly root = element("section", { class: "gallery", "aria-label": "Built-in robots" });
    private readonly studio = element("div", { class: "studio" });

    constructor(private readonly library: Library, private readonly stage: HTMLElement, choose: (name: string) => void) {
        const list = element("div", { class: "cards" });
        for (const name of inOrder(library.names())) {
            const canvas = element("canvas", { width: "520", height: "400" });
            const facts = element("small");
            const card = element("button", { type: "button", "data-robot": name }, canvas, element("b", {}, name.replaceAll("_", " ")), element("span", {}, kSays[name] ?? ""), facts);
            card.addEventListener("click", () => choose(name));
            list.append(card);
            this.cards.push({ name, canvas, facts });
        }
        this.root.append(
            element("header", {}, element("h1", {}, "Robots to play with"), element("p", {}, "Choose one, or drop a URDF file onto the page. All that moves is computed here, in the page, by the library itself.")),
            list,
            this.studio,
        );
    }

    enter(): void {
        document.title = "Plucker: robots to play with";
        this.stage.append(this.root);
    }
    leave(): void {
        this.root.remove();
    }
    // In another light all pictures are taken anew: one a frame, so that the page is there at once.
    dark(isDark: boolean): void {
        if (isDark === this.isDark) return;
        this.isDark = isDark;
        this.waiting.splice(0, this.waiting.length, ...this.cards);
    }
    draw(): void {
        const card = this.waiting.shift();
        if (card) this.photograph(card);
    }
    get isDone(): boolean {
        return this.waiting.length === 0;
    }

    private photograph({ name, canvas, facts }: Card): void {
        const { page, lifts } = this.library.builtin(name);
        if (!page) return;
        page.robot.floating ||= lifts; // what may be lifted stands on the floor
        facts.textContent = factsOf(page.robot);
        const viewer = new Viewer(page, this.studio, true);
        const { stage } = viewer;
        stage.dark(this.isDark ?? false);
        stage.look("corner");
        // Of a robot on a long rail the robot is shown, not the rail.
        const moving = new three.Box3();
        for (const body of viewer.view.bodies.slice(1)) moving.expandByObject(body);
        const { center, radius } = moving.getBoundingSphere(new three.Sphere());
        if (radius < 0.2 * stage.size) {
            stage.controls.target.copy(center);
            stage.look("corner", (3 * radius) / stage.size);
        } else {
            stage.include(viewer.bounds());
        }
        stage.draw();
        const picture = canvas.getContext("2d")!;
        picture.clearRect(0, 0, canvas.width, canvas.height);
        picture.drawImage(stage.renderer.domElement, 0, 0, canvas.width, canvas.height);
        viewer.remove();
    }
}
