// To learn: the recursion of Newton and Euler, one equation and one body at a time, in numbers and in arrows. All numbers
// are the library's.
import * as three from "three";
import { button, element, icon, kIcons, shortNumber } from "./dom";
import { formula } from "./formula";
import { helpDialog } from "./help";
import type { Coordinate, LessonAnswer, LessonBody, Library } from "./library";
import { coveredAbove, type Mode, placePanel } from "./mode";
import type { LiveMotion } from "./motion";
import { bars, Heat } from "./pictures";
import { block, column, kAngularColor, sign, SixArrows } from "./six";
import { Viewer } from "./viewer";

type Quantity = "v" | "a" | "net" | "f";

interface Chapter {
    title: string;
    formula: string;
    says: string[];
    source: string;
    draws?: Quantity; // what the arrows are
    inwards?: boolean; // from the tips to the ground
}

// Of the angular and the linear part: what they are called, and their units; and the arrows' colour.
const kQuantities: Record<Quantity, { parts: [string, string]; units: [string, string]; color: number }> = {
    v: { parts: ["ω", "v"], units: ["rad/s", "m/s"], color: 0x1c7ed6 },
    a: { parts: ["ω̇", "a"], units: ["rad/s²", "m/s²"], color: 0x0c8599 },
    net: { parts: ["n^{net}", "f^{net}"], units: ["N m", "N"], color: 0xe8590c },
    f: { parts: ["n", "f"], units: ["N m", "N"], color: 0xe03131 },
};

const kChapters: Chapter[] = [
    {
        title: "Velocity",
        formula: "v_i = ^{i}X_{λ} v_{λ} + S_i q̇_i",
        says: [
            "A body moves as its parent λ moves, seen from its own frame, and as its joint lets it move beside that.",
            "X takes a motion from the parent's coordinates to the body's; S is the joint's axis, and q̇ its rate. The recursion goes outwards, from the ground, which rests: v₀ = 0.",
        ],
        source: "Short Course, The Recursive Newton–Euler Algorithm",
        draws: "v",
    },
    {
        title: "Acceleration",
        formula: "a_i = ^{i}X_{λ} a_{λ} + S_i q̈_i + v_i × S_i q̇_i",
        says: [
            "The rate of the sum before. The axis S is carried along by the body, which gives the cross product: it is all that remains of Coriolis and of the centrifugal force.",
            "Gravity needs no term of its own: the ground accelerates upwards, a₀ = −g, and everything on it is carried along.",
        ],
        source: "Short Course, The Recursive Newton–Euler Algorithm",
        draws: "a",
    },
    {
        title: "Net force",
        formula: "f^{net}_i = I_i a_i + v_i ×^{*} I_i v_i",
        says: ["Newton and Euler in one equation: the force that this body alone needs, as the rate of its momentum I v.", "The second term is there because I is at rest in the body and not in the world. In the plane it has no moment; in space it makes tops precess."],
        source: "Short Course, Equation of Motion",
        draws: "net",
    },
    {
        title: "Joint force",
        formula: "f_i = f^{net}_i + Σ_{j} ^{j}X_i^{T} f_j",
        says: ["What goes through joint i: the force for body i, and for all that it carries. The recursion comes back inwards, from the tips.", "Forces travel with the transpose: what takes motions from i to j takes forces from j to i, so that power is the same on both sides."],
        source: "Short Course, The Recursive Newton–Euler Algorithm",
        draws: "f",
        inwards: true,
    },
    {
        title: "Torque",
        formula: "τ_i = S_i^{T} f_i",
        says: ["Of the six components of f the motor gives the part along the joint's axis, the one that does work. The other five are carried by the bearing.", "With this the recursion ends: from q, q̇ and q̈ to τ, in as many steps as there are bodies."],
        source: "Short Course, The Recursive Newton–Euler Algorithm",
        draws: "f",
        inwards: true,
    },
    {
        title: "Mass matrix",
        formula: "H e_j = τ(q, q̇ = 0, q̈ = e_j, g = 0)",
        says: ["The same recursion, asked another question: nothing moves, nothing weighs, and joint j alone accelerates, by one. The torques that this takes are column j of H.", "Step through the joints: each fills a column. H is symmetric, although no step of the recursion says so."],
        source: "Forward Dynamics with Spatial Vectors: H from unit accelerations",
        draws: "f",
    },
    {
        title: "Forward dynamics",
        formula: "H q̈ = τ − C",
        says: ["C is the recursion with q̈ = 0: gravity, Coriolis and centrifugal forces together. With H and C the question turns round: from torques to accelerations.", "Here τ is that of the sliders' q̈, so that solving for q̈ must give the sliders back."],
        source: "Forward Dynamics with Spatial Vectors",
    },
];
const kMassMatrix = 5;
const kForwardDynamics = 6;
const kRobots = ["chain(3)", "double_pendulum", "chain(5)", "arm", "lamp", "exoskeleton"];
const kCovered = 500;
const kReach = 0.28; // the longest arrow, as a part of the robot
const kMostColumns = 7; // of a matrix in numbers
const kMostLabelled = 7; // bodies, before labels are in each other's way

export class Lesson implements Mode {
    readonly name = "Learn";
    viewer!: Viewer;
    private chapter = 0;
    private at = 1; // the body, or in the chapter of the mass matrix the coordinate and one
    private coordinates: Coordinate[] = [];
    private q: number[] = [];
    private v: number[] = [];
    private a: number[] = [];
    private hasGravity = true;
    private isSwinging = false;
    private phase = 0;
    private answer!: LessonAnswer;
    private isStale = true;
    private isDark = false;
    private arrows!: SixArrows;
    private axes: three.Mesh[] = [];
    private readonly inWorld = new three.Group();
    private readonly labels = element("div", { class: "labels" });
    private readonly title = element("header", { class: "title" });
    private readonly panel = element("aside", { class: "panel lesson", "aria-label": "Lesson" });
    private readonly tabs = element("div", { class: "chapters", role: "tablist" });
    private readonly text = element("div", { class: "text" });
    private readonly numbers = element("div", { class: "equation" });
    private readonly where = element("output", { class: "where" });
    private readonly sliders = element("div", { class: "motion-sliders" });
    private readonly dock: HTMLElement;
    private readonly help = helpDialog("Learning", "The sliders say how the robot moves; the steps go through the recursion, a body and an equation at a time. Arrows are as long as the largest of their kind asks for. Drag to turn the picture.", [
        ["← →", "a step back, a step on"],
        ["space", "swing, pause"],
        ["d", "light or dark"],
    ]);
    private readonly gallery = element("select", { "aria-label": "Robots to learn with" });
    private readonly swingButton = button("Swing (space)", kIcons.play, () => this.swing(!this.isSwinging), { class: "play" });
    private readonly gravityChip = element("button", { type: "button", "aria-pressed": "true" }, "gravity");

    constructor(private readonly library: Library, private readonly app: HTMLElement, private readonly stage: HTMLElement) {
        kChapters.forEach((chapter, k) => {
            const tab = element("button", { type: "button", role: "tab", "data-chapter": String(k) }, chapter.title);
            tab.addEventListener("click", () => this.go(k, this.first(k)));
            this.tabs.append(tab);
        });
        for (const name of kRobots) this.gallery.append(element("option", { value: name }, name));
        this.gallery.addEventListener("change", () => this.load(this.gallery.value));
        this.gravityChip.addEventListener("click", () => {
            this.hasGravity = !this.hasGravity;
            this.gravityChip.setAttribute("aria-pressed", String(this.hasGravity));
            this.isStale = true;
        });
        const still = element("button", { type: "button" }, "at rest");
        still.addEventListener("click", () => this.rest());
        const steps = element("div", { class: "steps" }, button("Step back (←)", kIcons.back, () => this.step(-1)), this.where, button("Next step (→)", kIcons.forward, () => this.step(1), { class: "next" }));
        this.panel.append(this.tabs, this.text, steps, this.numbers);
        const controls = element("div", { class: "transport" }, this.swingButton, element("span", { class: "swing-hint" }, "swing"), this.gallery, element("div", { class: "chips" }, this.gravityChip, still));
        this.dock = element("footer", { class: "dock" }, controls, this.sliders);
        window.addEventListener("keydown", (event) => this.press(event));
        app.append(this.help);
    }

    showHelp(): void {
        this.help.showModal();
    }

    enter(): void {
        this.stage.append(this.title, this.panel, this.labels);
        this.app.append(this.dock);
        this.load(this.gallery.value);
    }
    leave(): void {
        this.viewer.remove();
        for (const part of [this.title, this.panel, this.labels, this.dock]) part.remove();
    }
    dark(isDark: boolean): void {
        this.isDark = isDark;
        this.viewer?.stage.dark(isDark);
    }
    fit(): void {
        this.viewer?.stage.cover(placePanel(this.panel, this.stage, this.app, kCovered), coveredAbove());
        this.isStale = true;
    }

    load(name: string): void {
        const robot = this.library.builtin(name);
        const page = robot.page!;
        this.viewer?.remove();
        // All bodies look alike, but for the one that is spoken of.
        for (const shape of page.robot.links.flatMap(({ visuals, collisions }) => [...visuals, ...collisions])) delete shape.rgba;
        this.coordinates = robot.coordinates;
        // Bent, and on the move: at zero much would be zero.
        this.q = this.coordinates.map(({ lower, upper }, k) => clamp(lower, upper, k === 0 ? 0.5 : 0.45 * (k % 2 === 0 ? 1 : -1)));
        this.v = this.coordinates.map((_, k) => 1.2 - 0.5 * (k % 3));
        this.a = this.coordinates.map((_, k) => 0.5 * ((k % 2) + 1));
        const { nq, bodies } = page.robot;
        const first = this.library.posture(this.q, nq, bodies.length - 1);
        page.motions[0].poses.set(first.poses);
        page.motions[0].center.set(first.center);
        this.viewer = new Viewer(page, this.stage, true);
        this.stage.prepend(this.viewer.stage.renderer.domElement);
        this.viewer.stage.dark(this.isDark);
        this.arrows = new SixArrows(this.viewer.stage.size);
        this.viewer.view.paint.glass(true); // arrows begin inside of the bodies
        this.inWorld.clear();
        this.inWorld.add(this.arrows.root);
        this.axes = [];
        this.viewer.stage.world.add(this.inWorld);
        this.title.replaceChildren(element("h1", {}, "Newton and Euler, step by step"), element("p", {}, `${page.robot.name}: from q, q̇ and q̈ to τ`));
        document.title = "Learn: Newton and Euler";
        this.makeSliders();
        this.fit();
        this.viewer.stage.look("corner", 1 + kReach); // with room for the arrows
        this.go(this.chapter, this.first(this.chapter));
    }

    draw(seconds: number): void {
        if (this.isSwinging) this.swingOn(seconds);
        if (this.isStale) this.compute();
        this.isStale = false;
        if (this.viewer.stage.draw()) this.placeLabels();
    }

    // Shows an equation for a body.
    go(chapter: number, at: number): void {
        this.chapter = chapter;
        this.at = at;
        for (const tab of this.tabs.children) tab.setAttribute("aria-selected", String(tab.getAttribute("data-chapter") === String(chapter)));
        const { formula: equation, says, source } = kChapters[chapter];
        this.text.replaceChildren(element("p", { class: "main-formula" }, formula(equation)), ...says.map((line) => element("p", {}, line)), element("p", { class: "source" }, source));
        this.viewer.select(this.spokenOf());
        this.isStale = true;
    }

    // The body that the step is about; -1: none.
    private spokenOf(): number {
        if (this.chapter === kForwardDynamics) return -1;
        if (this.chapter !== kMassMatrix) return this.at;
        return this.viewer.page.robot.bodies.findIndex(({ joint }) => joint?.name === this.coordinates[this.at - 1]?.joint);
    }

    // The next step of the recursion: the next body, or the next equation.
    step(by: 1 | -1): void {
        const along = kChapters[this.chapter].inwards ? -by : by;
        const next = this.at + along;
        if (next >= 1 && next <= this.count(this.chapter)) {
            this.go(this.chapter, next);
            return;
        }
        const chapter = this.chapter + by;
        if (chapter < 0 || chapter >= kChapters.length) return;
        this.go(chapter, by > 0 ? this.first(chapter) : this.lastOf(chapter));
    }

    swing(isSwinging: boolean): void {
        this.isSwinging = isSwinging;
        this.swingButton.replaceChildren(icon(isSwinging ? kIcons.pause : kIcons.play));
    }

    rest(): void {
        this.swing(false);
        this.v = this.v.map(() => 0);
        this.a = this.a.map(() => 0);
        this.makeSliders();
        this.isStale = true;
    }

    move(which: "q" | "v" | "a", k: number, value: number): void {
        this[which][k] = value;
        this.isStale = true;
    }

    private get bodies(): number {
        return this.viewer.page.robot.bodies.length - 1;
    }
    private count(chapter: number): number {
        if (chapter === kMassMatrix) return this.coordinates.length;
        return chapter === kForwardDynamics ? 1 : this.bodies;
    }
    private first(chapter: number): number {
        return kChapters[chapter].inwards ? this.count(chapter) : 1;
    }
    private lastOf(chapter: number): number {
        return kChapters[chapter].inwards ? 1 : this.count(chapter);
    }

    // Each joint swings about where it began, and q̇ and q̈ are the rates of that.
    private swingOn(seconds: number): void {
        this.phase += Math.min(seconds, 0.05);
        this.coordinates.forEach(({ lower, upper }, k) => {
            const w = 1.1 + 0.37 * k;
            const reach = Math.min(0.8, 0.45 * (upper - lower));
            const middle = clamp(lower + reach, upper - reach, 0.2);
            this.q[k] = middle + reach * Math.sin(w * this.phase + k);
            this.v[k] = reach * w * Math.cos(w * this.phase + k);
            this.a[k] = -reach * w * w * Math.sin(w * this.phase + k);
        });
        this.paintSliders();
        this.isStale = true;
    }

    private compute(): void {
        const { nq } = this.viewer.page.robot;
        const posture = this.library.posture(this.q, nq, this.bodies);
        (this.viewer.motion as LiveMotion).put(posture);
        const isUnit = this.chapter === kMassMatrix;
        const zero = this.q.map(() => 0);
        const unit = zero.map((_, k) => (k === this.at - 1 ? 1 : 0));
        this.answer = this.library.lesson(isUnit ? { along: this.q, v: zero, a: unit, gravity: false } : { along: this.q, v: this.v, a: this.a, gravity: this.hasGravity });
        this.viewer.update();
        this.drawArrows();
        this.showNumbers();
    }

    // What the recursion has computed so far.
    private isKnown(body: number): boolean {
        if (this.chapter === kMassMatrix) return true;
        return kChapters[this.chapter].inwards ? body >= this.at : body <= this.at;
    }

    private drawArrows(): void {
        const { draws } = kChapters[this.chapter];
        this.arrows.clear();
        this.labels.replaceChildren();
        for (const axis of this.axes) axis.visible = false;
        const size = this.viewer.stage.size;
        const turned = this.answer.bodies.map(({ pose }) => ({ at: new three.Vector3(pose[0], pose[1], pose[2]), by: new three.Quaternion(pose[3], pose[4], pose[5], pose[6]) }));
        this.answer.bodies.forEach((body, i) => {
            if (i > 0) this.drawAxes(body, turned[i].at, turned[i].by, i === this.at && this.chapter < kMassMatrix);
        });
        if (!draws) return;
        const { color, parts } = kQuantities[draws];
        const part = (i: number, from: number) => new three.Vector3(...(this.answer.bodies[i][draws] ?? [0, 0, 0, 0, 0, 0]).slice(from, from + 3)).applyQuaternion(turned[i].by);
        const known = turned.map((_, i) => i).filter((i) => i > 0 && this.isKnown(i));
        const longest = (from: number) => Math.max(1e-12, ...turned.map((_, i) => (i > 0 ? part(i, from).length() : 0)));
        const [mostAngular, mostLinear] = [longest(0), longest(3)];
        const length = (most: number) => (most < 1e-9 ? 0 : (kReach * size) / most);
        for (const i of known) {
            const tone = new three.Color(color);
            if (i !== this.at && this.chapter !== kMassMatrix) tone.lerp(new three.Color(this.isDark ? 0x4a5564 : 0xb8c2ce), 0.5);
            const angular = part(i, 0).multiplyScalar(length(mostAngular));
            const linear = part(i, 3).multiplyScalar(length(mostLinear));
            this.arrows.add(turned[i].at, angular, linear, tone);
            const isStrong = i === this.at && this.chapter !== kMassMatrix;
            if (!isStrong && this.bodies > kMostLabelled) continue;
            [angular, linear].forEach((x, k) => {
                if (x.length() > 0.03 * size) this.label(`${parts[k]}_{${i}}`, turned[i].at.clone().add(x), isStrong);
            });
        }
        this.legend(draws, mostAngular, mostLinear);
    }

    // The joint's axis: a thin rod through its origin.
    private drawAxes(body: LessonBody, at: three.Vector3, by: three.Quaternion, isStrong: boolean): void {
        for (const axis of body.S) {
            const turns = Math.hypot(axis[0], axis[1], axis[2]) > 1e-9;
            const direction = new three.Vector3(...axis.slice(turns ? 0 : 3, turns ? 3 : 6)).normalize().applyQuaternion(by);
            const size = this.viewer.stage.size;
            let rod = this.axes.find((mesh) => !mesh.visible);
            if (!rod) {
                rod = new three.Mesh(new three.CylinderGeometry(0.0035 * size, 0.0035 * size, 1, 10).rotateX(Math.PI / 2), new three.MeshBasicMaterial({ transparent: true }));
                this.axes.push(rod);
                this.inWorld.add(rod);
            }
            rod.visible = true;
            const material = rod.material as three.MeshBasicMaterial;
            material.color.set(isStrong ? 0xf08c00 : 0x868e96);
            material.opacity = isStrong ? 0.95 : 0.35;
            rod.scale.set(1, 1, (isStrong ? 0.3 : 0.16) * size);
            rod.position.copy(at);
            rod.quaternion.setFromUnitVectors(new three.Vector3(0, 0, 1), direction);
        }
    }

    private label(text: string, at: three.Vector3, isStrong: boolean): void {
        const out = element("span", { class: isStrong ? "strong" : "" }, formula(text));
        this.labels.append(out);
        (out as HTMLElement & { place?: three.Vector3 }).place = at;
    }

    private legend(quantity: Quantity, angular: number, linear: number): void {
        const { color, units } = kQuantities[quantity];
        const swatch = (tone: number) => {
            const out = element("i");
            out.style.background = `#${tone.toString(16).padStart(6, "0")}`;
            return out;
        };
        const [first, second] = units;
        this.labels.append(
            element("p", { class: "arrow-legend" }, swatch(kAngularColor), `angular part; the longest is ${shortNumber(angular)} ${first}`, element("br"), swatch(color), `linear part; the longest is ${shortNumber(linear)} ${second}`),
        );
    }

    // Beside the ends of the arrows, wherever the camera is.
    private placeLabels(): void {
        const { clientWidth, clientHeight } = this.stage;
        for (const child of this.labels.children as HTMLCollectionOf<HTMLElement & { place?: three.Vector3 }>) {
            if (!child.place) continue;
            const point = child.place.clone().applyQuaternion(this.viewer.stage.world.quaternion).project(this.viewer.stage.camera);
            child.style.transform = `translate(${((point.x + 1) / 2) * clientWidth + 6}px, ${((1 - point.y) / 2) * clientHeight - 18}px)`;
        }
    }

    private showNumbers(): void {
        const { bodies, tau, H, C } = this.answer;
        const body = bodies[this.at];
        const i = this.at;
        const parent = body?.parent ?? 0;
        const names = this.coordinates.map(({ name }) => name);
        const row = (...parts: (HTMLElement | string)[]) => element("div", { class: "row" }, ...parts.map((x) => (typeof x === "string" ? sign(x) : x)));
        const where = this.chapter < kMassMatrix ? `body ${i} of ${this.bodies}: ${body.name}` : this.chapter === kMassMatrix ? `column ${i}: ${names[i - 1]}` : "";
        this.where.textContent = where;
        const joint = (rates: number[], symbol: string) => {
            const of = body.S.map((_, k) => rates[body.first + k]);
            return body.S.length === 1 ? [column(`S_{${i}}`, body.S[0]), "·", block(symbol, [of])] : [block(`S_{${i}}`, transposed(body.S)), "·", block(symbol, of.map((x) => [x]))];
        };
        const isLarge = names.length > kMostColumns;
        const parts: HTMLElement[] = [];
        switch (this.chapter) {
            case 0:
                parts.push(
                    row(column(`v_{${i}}`, body.v, true), "=", block(`^{${i}}X_{${parent}}`, body.X), "·", column(`v_{${parent}}`, bodies[parent].v)),
                    row("+", ...joint(this.v, `q̇_{${i}}`), ", that is", column(`v_{${i}}`, body.v, true), "=", column(`^{${i}}X_{${parent}}v_{${parent}}`, body.carried_v), "+", column(`S_{${i}}q̇_{${i}}`, body.joint_v)),
                );
                break;
            case 1:
                parts.push(
                    row(column(`a_{${i}}`, body.a, true), "=", block(`^{${i}}X_{${parent}}`, body.X), "·", column(`a_{${parent}}`, bodies[parent].a)),
                    row("+", column(`S_{${i}}q̈_{${i}}`, body.joint_a), "+", column(`v_{${i}}×S_{${i}}q̇_{${i}}`, body.turning_a), "where", column(`v_{${i}}`, body.v)),
                );
                break;
            case 2:
                parts.push(
                    row(column(`f^{net}_{${i}}`, body.net, true), "=", block(`I_{${i}}`, body.I), "·", column(`a_{${i}}`, body.a)),
                    row("+", column(`v_{${i}}×^{*}I_{${i}}v_{${i}}`, body.gyroscopic), "that is", column(`f^{net}_{${i}}`, body.net, true), "=", column(`I_{${i}}a_{${i}}`, body.momentum_rate), "+", column("", body.gyroscopic)),
                );
                break;
            case 3:
                parts.push(row(column(`f_{${i}}`, body.f, true), "=", column(`f^{net}_{${i}}`, body.net), "+", column(this.childrenOf(i), body.carried_f)));
                break;
            case 4:
                parts.push(
                    ...body.S.map((axis, k) => row(block(`τ_{${i}}`, [[tau[body.first + k]]], true), "=", column(`S_{${i}}`, axis), "·", column(`f_{${i}}`, body.f))),
                    bars(tau, names, (k) => (this.coordinates[k].turns ? "N m" : "N")),
                );
                break;
            case kMassMatrix: {
                const filled = H.map((line) => line.map((x, k) => (k < i ? x : NaN)));
                const unit = column(`e_{${i}}`, tau.map((_, k) => (k === i - 1 ? 1 : 0)));
                parts.push(isLarge ? this.picture(filled) : row(column("τ", tau, true), "=", block("H", filled, false, i - 1), "·", unit));
                break;
            }
            default: {
                const [a, torques, bias] = [column("q̈", this.a), column("τ", tau), column("C", C)];
                parts.push(
                    ...(isLarge ? [this.picture(H), row(a, torques, bias)] : [row(block("H", H), "·", a, "=", torques, "−", bias)]),
                    element("p", { class: "caption" }, `H q̈ + C and τ differ by ${worst(H, this.a, C, tau).toExponential(0)}: rounding.`),
                );
            }
        }
        this.numbers.replaceChildren(...parts);
    }

    // H in colours, where there is no room for its numbers; what is not known yet is NaN.
    private picture(H: number[][]): HTMLElement {
        const names = this.coordinates.map(({ name }) => name);
        return new Heat(names, names).show(H.map((line) => line.map((x) => (Number.isNaN(x) ? 0 : x))));
    }

    private childrenOf(i: number): string {
        const children = this.answer.bodies.flatMap((body, j) => (j > 0 && body.parent === i ? [`^{${j}}X_{${i}}^{T}f_{${j}}`] : []));
        return children.join(" + ") || "no child";
    }

    private makeSliders(): void {
        this.sliders.replaceChildren(element("span"), ...["q", "q̇", "q̈"].map((name) => element("b", {}, name)));
        this.coordinates.forEach(({ name, lower, upper }, k) => {
            this.sliders.append(element("span", { class: "name" }, name));
            for (const [which, low, high] of [["q", lower, upper], ["v", -4, 4], ["a", -8, 8]] as const) {
                const slider = element("input", { type: "range", min: String(low), max: String(high), step: "any", "aria-label": `${which} of ${name}`, "data-which": which, "data-k": String(k) });
                const shown = element("output");
                slider.addEventListener("input", () => {
                    this.swing(false);
                    this.move(which, k, Number(slider.value));
                    this.paintSliders();
                });
                this.sliders.append(element("label", {}, slider, shown));
            }
        });
        this.paintSliders();
    }

    private paintSliders(): void {
        for (const slider of this.sliders.querySelectorAll("input")) {
            const value = this[slider.dataset.which as "q" | "v" | "a"][Number(slider.dataset.k)];
            const [low, high] = [Number(slider.min), Number(slider.max)];
            slider.value = String(value);
            slider.style.setProperty("--part", `${(100 * (clamp(low, high, value) - low)) / (high - low || 1)}%`);
            slider.nextElementSibling!.textContent = value.toFixed(2);
        }
    }

    private press(event: KeyboardEvent): void {
        if (!this.panel.isConnected || event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
        if (event.target instanceof HTMLSelectElement || event.target instanceof HTMLInputElement) return;
        if (event.key === " ") this.swing(!this.isSwinging);
        else if (event.key === "ArrowRight") this.step(1);
        else if (event.key === "ArrowLeft") this.step(-1);
        else return;
        event.preventDefault();
    }
}

function clamp(lower: number, upper: number, x: number): number {
    return Math.min(upper, Math.max(lower, x));
}

function transposed(rows: number[][]): number[][] {
    return rows[0].map((_, k) => rows.map((row) => row[k]));
}

function worst(H: number[][], a: number[], C: number[], tau: number[]): number {
    return Math.max(...H.map((row, i) => Math.abs(row.reduce((sum, x, k) => sum + x * a[k], C[i] - tau[i]))));
}
