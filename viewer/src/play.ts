// To play with a robot: move its joints, let it fall, pull it; and see what the library computes for it.
import * as three from "three";
import type { Page } from "./data";
import { button, element, factsOf, icon, kIcons, shortNumber } from "./dom";
import { inOrder } from "./gallery";
import { Grip } from "./grip";
import { helpDialog } from "./help";
import { Hint } from "./hint";
import { kLayers, LayerChips, modeLegend } from "./layers";
import { type Controller, type Coordinate, type Finding, type Library, type LoadedRobot, type SimulationState, type SimulationWishes } from "./library";
import { kLookKeys, LookChips } from "./look";
import { coveredAbove, type Mode, placePanel } from "./mode";
import type { LiveFrame, LiveMotion } from "./motion";
import { bars, Heat, type Matrix } from "./pictures";
import { Running, type Settings } from "./running";
import { Strip } from "./strip";
import { type Layer, Viewer } from "./viewer";

const kQuantities = ["energy", "gravity torque", "motor torque", "mass matrix M", "Coriolis matrix C", "Jacobian"];
const kGravities: [string, number][] = [["Earth", 9.81], ["Moon", 1.62], ["none", 0]];
const kControllers: [Controller, string, string][] = [
    ["none", "none", "The joints are free"],
    ["hold", "hold (PD)", "A critically damped spring of 5 Hz at each joint; the sliders say where to"],
    ["gravity", "gravity comp.", "Each joint carries the weight that hangs on it, and no more"],
];
const kSpeeds = [1, 0.25, 0.1];
const kPlayLayers: Layer[] = ["visual", "collision", "frames", "axes", "inertia", "center", "contacts", "cones", "support"];
const kCovered = 314; // pixels of the picture that the panel takes

const kBrought = "brought"; // the list's entry of a robot that is not built in

// Where a robot is from.
export interface RobotSource {
    load: () => LoadedRobot;
    builtin?: string; // its name, if it is one of these
    drawn?: Page; // where more is known of its looks than the library knows: meshes
}

// A hold on a link.
interface Hold {
    body: number;
    point: three.Vector3; // in the link
    to: three.Vector3; // in the scene
    plane: three.Plane;
}

export class Play implements Mode {
    readonly name = "Play";
    onFile: () => void = () => {}; // somebody has brought a robot, wherever in the page
    viewer!: Viewer;
    running!: Running;
    private robot!: LoadedRobot;
    private source!: RobotSource;
    private brought?: RobotSource;
    private waiting?: () => void;
    private coordinates: Coordinate[] = [];
    private positions: number[] = []; // how far each coordinate is from neutral
    private velocities: number[] = [];
    private start: number[] = []; // positions that reset goes back to
    private target: number[] = []; // positions to which a controller pulls
    private time = 0;
    private last?: SimulationState;
    private settings: Settings = { ground: false, friction: 0.8, controller: "none", gravity: [0, 0, -9.81] };
    private height = 0.5;
    private movesVelocities = false;
    private shownQuantity = kQuantities[0];
    private isStale = true;
    private isDark = false;
    private hold?: Hold;
    private grip!: Grip;
    private readonly hint = new Hint();
    private numbersAge = 0;
    private readonly strip = new Strip(["kinetic", "potential", "total"], "J");
    private readonly panel = element("aside", { class: "panel wide", "aria-label": "Robot and world" });
    private readonly dock: HTMLElement;
    private readonly title = element("header", { class: "title" });
    private readonly sliders = element("div", { class: "sliders" });
    private readonly numbers = element("div", { class: "numbers-body" });
    private readonly tabs = element("div", { class: "tabs", role: "tablist" });
    private readonly gallery = element("select", { "aria-label": "Built-in robots" });
    private readonly findings = element("dialog", { class: "help findings" });
    private readonly layers = element("div");
    private readonly lookBox = element("div");
    private looks!: LookChips;
    private readonly help = helpDialog("Playing with a robot", "Drag a link to pull it; drag beside the robot to turn the picture, with the right button or two fingers to move it. Scroll or pinch to come closer. Click a link for its Jacobian.", [
        ["space", "run, pause"],
        ["backspace", "back to the beginning"],
        ...kLookKeys,
        ["d", "light or dark"],
        ...kPlayLayers.map((layer): [string, string] => [kLayers[layer].key, kLayers[layer].name.toLowerCase()]),
    ]);
    private shownHeat?: Heat;
    private readonly caption = element("p", { class: "caption" });
    private readonly worldBox = element("div");
    private readonly jointModes = element("div", { class: "chips" });
    private readonly runButton = button("Run (space)", kIcons.play, () => this.toggleRun(), { class: "play" });
    private readonly timeLabel = element("output", { class: "time" });
    private readonly status = element("p", { class: "status", role: "status" });
    private readonly speedButton = element("button", { type: "button", class: "speed", title: "Slow motion" });

    constructor(private readonly library: Library, private readonly app: HTMLElement, private readonly stage: HTMLElement) {
        for (const name of kQuantities) {
            const tab = element("button", { type: "button", role: "tab", "data-group": name }, name);
            tab.addEventListener("click", () => this.choose(name));
            this.tabs.append(tab);
        }
        for (const name of inOrder(library.names())) this.gallery.append(element("option", { value: name }, name));
        this.gallery.addEventListener("change", () => {
            const name = this.gallery.value;
            this.show(name === kBrought && this.brought ? this.brought : { load: () => library.builtin(name), builtin: name });
        });
        for (const [name, moves] of [["positions", false], ["velocities", true]] as const) {
            const chip = element("button", { type: "button", "aria-pressed": String(!moves) }, name);
            chip.addEventListener("click", () => {
                this.movesVelocities = moves;
                for (const other of this.jointModes.children) other.setAttribute("aria-pressed", String(other === chip));
                this.makeSliders();
            });
            this.jointModes.append(chip);
        }
        this.panel.append(
            element("h2", {}, "Robot"),
            this.gallery,
            this.fileHint(),
            this.worldBox,
            element("h2", {}, "Show"),
            this.layers,
            element("h2", {}, "Look"),
            this.lookBox,
            element("h2", {}, "Joints"),
            this.jointModes,
            this.sliders,
        );
        this.speedButton.addEventListener("click", () => {
            this.running.speed = kSpeeds[(kSpeeds.indexOf(this.running.speed) + 1) % kSpeeds.length];
            this.update();
        });
        const transport = element(
            "div",
            { class: "transport" },
            button("Back to the beginning (backspace)", kIcons.back, () => this.reset(), { class: "reset" }),
            this.runButton,
            this.timeLabel,
            this.speedButton,
            this.status,
        );
        this.dock = element("footer", { class: "dock" }, transport, element("section", { class: "plots" }, element("div", { class: "plot-head" }, this.tabs), this.numbers));
        this.findings.addEventListener("click", (event) => {
            if (event.target === this.findings) this.findings.close();
        });
        app.append(this.findings, this.help);
        this.hint.listen(stage);
        this.acceptFiles();
        this.listen();
    }

    enter(): void {
        this.stage.append(this.title, this.panel, this.hint.root);
        this.app.append(this.dock);
        const waiting = this.waiting;
        this.waiting = undefined;
        if (waiting) waiting();
        else if (this.robot) this.show(this.source);
    }
    leave(): void {
        this.running.isRunning = false;
        this.viewer.remove();
        this.hint.viewer = undefined;
        for (const part of [this.title, this.panel, this.dock, this.hint.root]) part.remove();
    }
    dark(isDark: boolean): void {
        this.isDark = isDark;
        this.viewer?.stage.dark(isDark);
        this.isStale = true;
    }

    showHelp(): void {
        this.help.showModal();
    }

    // Lets the library load the robot, and shows it.
    show(source: RobotSource): void {
        const robot = source.load();
        if (!robot.page) {
            this.tell("This file is refused", robot.findings);
            return;
        }
        if (robot.findings.some((finding) => finding.is_warning)) this.tell("This was found in the file", robot.findings);
        this.viewer?.remove();
        this.robot = robot;
        this.source = source;
        const page = source.drawn ?? robot.page;
        this.markInList(page.robot.name);
        const { nq, nv, bodies, gravity, name, links, meshes } = page.robot;
        this.coordinates = robot.coordinates;
        this.running = new Running(this.library, nq, nv, bodies.length - 1);
        for (const { mesh, uri } of links.flatMap((link) => link.collisions)) {
            if (mesh !== undefined && uri !== undefined) this.library.mesh(uri, joined(meshes[mesh].map((part) => part.positions)));
        }
        const touches = links.some((link) => link.collisions.length > 0);
        this.settings = { ...this.settings, ground: robot.lifts && touches, gravity: [...gravity] };
        this.positions = this.coordinates.map(({ lower, upper }) => Math.min(upper, Math.max(lower, 0)));
        this.velocities = this.coordinates.map(() => 0);
        this.time = 0;
        this.last = undefined;
        this.hold = undefined;
        this.strip.clear();
        this.say("");
        this.standOnGround();
        this.start = [...this.positions];
        this.target = [...this.positions];

        // The picture is made for where the robot begins, and the ground for what it stands on.
        const first = this.library.posture(this.positions, nq, bodies.length - 1);
        page.motions[0].poses.set(first.poses);
        page.motions[0].center.set(first.center);
        page.motions[0].ground = this.settings.ground;
        this.viewer = new Viewer(page, this.stage, true);
        this.stage.prepend(this.viewer.stage.renderer.domElement);
        this.grip = new Grip(this.viewer.stage.size);
        this.viewer.stage.scene.add(this.grip.root);
        this.hint.viewer = this.viewer;
        this.layers.replaceChildren(new LayerChips(this.viewer).root, ...(touches ? [modeLegend()] : []));
        this.looks = new LookChips(this.viewer);
        this.lookBox.replaceChildren(this.looks.root);
        this.height = Number((0.4 * this.viewer.stage.size).toPrecision(1));

        document.title = name;
        this.title.replaceChildren(element("h1", {}, name), element("p", {}, factsOf(page.robot)));
        this.dark(this.isDark);
        this.makeWorld();
        this.makeSliders();
        this.choose(this.shownQuantity);
        this.fit();
        this.viewer.look("corner");
        this.update();
    }

    // The robot to show when somebody comes here.
    later(source: RobotSource): void {
        this.waiting = () => this.show(source);
    }

    load(text: string, file: string): void {
        try {
            this.show({ load: () => this.library.load(text, file) });
        } catch (error) {
            this.tell("This file is refused", [{ is_error: true, is_warning: false, text: messageOf(error) }]);
        }
    }

    draw(seconds: number): void {
        if (this.running.isRunning) this.advance(seconds);
        if (this.isStale) this.compute();
        this.isStale = false;
        this.viewer.stage.draw();
    }

    // Goes on by so many seconds of the simulation; what the page does for each frame.
    advance(seconds: number): void {
        try {
            if (this.hold) this.pull();
            const state = this.running.advance(seconds, () => this.wishes());
            if (this.hold) this.pull(); // a simulation that has just begun knows of no hold
            this.take(state);
        } catch (error) {
            this.running.isRunning = false;
            this.running.change();
            this.say(messageOf(error));
            this.update();
        }
    }

    move(coordinate: number, value: number): void {
        this.isStale = true;
        if (!this.movesVelocities) this.target[coordinate] = value;
        if (this.isAiming) {
            this.running.aim(this.target);
            return;
        }
        (this.movesVelocities ? this.velocities : this.positions)[coordinate] = value;
        this.running.change();
    }

    run(isRunning: boolean): void {
        this.running.isRunning = isRunning;
        if (isRunning) this.makeSliders();
        else this.positionsFromState();
        this.say("");
        this.update();
    }
    toggleRun(): void {
        this.run(!this.running.isRunning);
    }

    reset(): void {
        this.running.isRunning = false;
        this.running.change();
        this.positions = [...this.start];
        this.target = [...this.start];
        this.velocities = this.coordinates.map(() => 0);
        this.time = 0;
        this.last = undefined;
        this.strip.clear();
        this.say("");
        this.makeSliders();
        this.update();
    }

    // Lets the robot fall from so many metres above where it begins.
    dropFrom(height: number): void {
        this.reset();
        try {
            this.take(this.running.begin({ ...this.wishes(), height }));
            this.positionsFromState();
            this.compute();
            this.viewer.stage.include(this.viewer.bounds()); // it begins higher than the picture was made for
            this.run(true);
        } catch (error) {
            this.say(messageOf(error));
        }
    }

    set(settings: Partial<Settings>): void {
        this.positionsFromState();
        this.settings = { ...this.settings, ...settings };
        if (settings.gravity) this.library.gravity(settings.gravity);
        this.running.change();
        this.makeWorld();
        this.isStale = true;
    }

    // What the library says of this posture.
    answer(quantities: string[]): Record<string, unknown> {
        const body = this.viewer.page.robot.bodies[Math.max(1, this.viewer.selected)];
        const { q, v } = this.stateNow();
        return this.library.evaluate({ q, v }, quantities, [body?.name ?? ""].filter((name) => name !== ""));
    }

    choose(name: string): void {
        this.shownQuantity = name;
        for (const tab of this.tabs.children) tab.setAttribute("aria-selected", String(tab.getAttribute("data-group") === name));
        this.numbers.replaceChildren();
        this.shownHeat = undefined;
        this.isStale = true;
    }

    // A robot that somebody has brought stands in the list too, until another one comes.
    private markInList(name: string): void {
        const { builtin } = this.source;
        if (builtin === undefined) {
            this.brought = this.source;
            this.gallery.querySelector(`[value=${kBrought}]`)?.remove();
            this.gallery.prepend(element("option", { value: kBrought }, name));
        }
        this.gallery.value = builtin ?? kBrought;
    }

    // While a controller holds the running robot, the sliders say where to.
    private get isAiming(): boolean {
        return this.running.isRunning && this.settings.controller === "hold" && !this.movesVelocities;
    }

    private stateNow(): { q: number[]; v: number[] } {
        if (this.last && this.running.isRunning) return this.last;
        const { nq, bodies } = this.viewer.page.robot;
        return { q: this.library.posture(this.positions, nq, bodies.length - 1).q, v: this.velocities };
    }

    private wishes(): SimulationWishes {
        const { ground, friction, controller } = this.settings;
        const { q, v } = this.stateNow();
        const { nq, bodies } = this.viewer.page.robot;
        const target = this.library.posture(this.target, nq, bodies.length - 1).q;
        return { q, v, time: this.time, target, ground, friction, controller };
    }

    // Where a robot that can be lifted begins: it just touches the ground.
    private standOnGround(): void {
        const { nq, bodies } = (this.source.drawn ?? this.robot.page!).robot;
        const { q } = this.library.posture(this.positions, nq, bodies.length - 1);
        for (const ground of this.settings.ground ? [true, false] : [false]) {
            try {
                const state = this.running.begin({ q, ground, on_ground: ground });
                this.settings.ground = ground;
                this.positions = state.along;
                this.running.change();
                return;
            } catch (error) {
                this.say(messageOf(error));
            }
        }
    }

    private take(state: SimulationState): void {
        this.last = state;
        this.time = state.time;
        this.strip.add(state.time, [state.kinetic, state.potential, state.kinetic + state.potential]);
        if (this.hold) {
            const at = new three.Vector3(...state.pull.subarray(3, 6)).applyQuaternion(this.viewer.stage.world.quaternion);
            this.grip.show(at, this.hold.to);
        }
        this.isStale = true;
    }

    // The sliders begin where the simulation ends.
    private positionsFromState(): void {
        if (!this.last) return;
        this.positions = [...this.last.along];
        this.velocities = [...this.last.v];
        this.makeSliders();
        this.isStale = true;
    }

    private compute(): void {
        const { robot } = this.viewer.page;
        let frame: LiveFrame;
        if (this.running.isRunning && this.last) {
            frame = this.last.frame;
            if (!this.isAiming) this.moveSliders(this.movesVelocities ? this.last.v : this.last.along);
        } else {
            const isWhereItStopped = this.last && this.positions.every((x, k) => x === this.last!.along[k]);
            frame = isWhereItStopped ? this.last!.frame : this.library.posture(this.positions, robot.nq, robot.bodies.length - 1);
        }
        (this.viewer.motion as LiveMotion).put(frame);
        this.viewer.update();
        // Matrices need not change sixty times a second.
        const isDue = !this.running.isRunning || this.shownQuantity === "energy" || ++this.numbersAge % 6 === 0;
        if (isDue || this.numbers.childElementCount === 0) this.showNumbers();
        this.update();
    }

    private showNumbers(): void {
        const names = this.coordinates.map(({ name }) => name);
        const unit = (k: number) => (this.coordinates[k].turns ? "N m" : "N");
        const picture = (): HTMLElement => {
            switch (this.shownQuantity) {
                case "energy": {
                    if (!this.running.isRunning || !this.last) {
                        const { kinetic_energy: kinetic, potential_energy: potential } = this.answer(["kinetic_energy", "potential_energy"]) as Record<string, number>;
                        this.strip.add(this.time, [kinetic, potential, kinetic + potential]);
                    }
                    return this.strip.root;
                }
                case "motor torque":
                    return bars(this.running.isRunning && this.last ? this.last.tau : names.map(() => 0), names, unit);
                case "mass matrix M":
                    return this.heat(names).show(this.answer(["mass_matrix"]).mass_matrix as Matrix);
                case "Coriolis matrix C":
                    return this.heat(names).show(this.answer(["coriolis_matrix"]).coriolis_matrix as Matrix);
                case "Jacobian": {
                    const frames = this.answer(["frames"]).frames as Record<string, { jacobian_world_aligned: Matrix }>;
                    const [link, { jacobian_world_aligned: jacobian }] = Object.entries(frames)[0];
                    this.caption.textContent = `of ${link}, along the world's axes; click a link to choose it`;
                    return element("div", {}, this.caption, this.heat(["ωx", "ωy", "ωz", "vx", "vy", "vz"]).show(jacobian));
                }
                default:
                    return bars(this.answer(["gravity_torque"]).gravity_torque as number[], names, unit);
            }
        };
        const shown = picture();
        if (this.numbers.firstChild !== shown) this.numbers.replaceChildren(shown);
        if (shown === this.strip.root) this.strip.draw(this.isDark);
    }

    // A picture for a matrix of this robot, with so many rows.
    private heat(rows: string[]): Heat {
        this.shownHeat ??= new Heat(rows, this.coordinates.map(({ name }) => name));
        return this.shownHeat;
    }

    private update(): void {
        const { isRunning, rate, speed } = this.running;
        const name = isRunning ? "Pause (space)" : "Run (space)";
        if (this.runButton.title !== name) {
            this.runButton.title = name;
            this.runButton.setAttribute("aria-label", name);
            this.runButton.replaceChildren(icon(isRunning ? kIcons.pause : kIcons.play));
        }
        this.timeLabel.textContent = `${this.time.toFixed(2)} s`;
        this.speedButton.textContent = `${speed}×`;
        this.app.classList.toggle("is-running", isRunning && !this.isAiming);
        if (isRunning && this.last) {
            const { contacts } = this.last.frame;
            const count = contacts?.links.length ?? 0;
            const slow = rate < 0.9 ? ` · ${shortNumber(Number(rate.toPrecision(2)))} of real time` : "";
            const exactly = this.last.residual === 0 ? "exactly" : `to ${this.last.residual.toExponential(0)} m/s`;
            this.status.textContent = `${count} ${count === 1 ? "contact" : "contacts"} · laws met ${exactly}${slow}`;
            this.status.classList.remove("error");
        }
    }

    private say(text: string): void {
        this.status.textContent = text || (this.running.notes[0] ?? "Press play, or drag a link with the mouse");
        this.status.classList.toggle("error", text !== "");
    }

    // Switches of the world: ground, friction, gravity, controller, and a fall.
    private makeWorld(): void {
        const chips = <T>(entries: [T, string, string][], isOn: (value: T) => boolean, act: (value: T) => void) => {
            const out = element("div", { class: "chips" });
            for (const [value, name, says] of entries) {
                const chip = element("button", { type: "button", "aria-pressed": String(isOn(value)), title: says }, name);
                chip.addEventListener("click", () => act(value));
                out.append(chip);
            }
            return out;
        };
        const { page } = this.viewer;
        const size = Math.hypot(...this.settings.gravity);
        const standard = Math.hypot(...page.robot.gravity) || 9.81;
        const direction = page.robot.gravity.map((x) => x / standard);
        const along = (g: number) => direction.map((x) => g * x);
        const gravities: [number, string, string][] = kGravities.map(([name, g]) => [g, name, `${g} m/s²`]);
        if (!kGravities.some(([, g]) => Math.abs(g - standard) < 1e-9)) gravities.unshift([standard, "file", `${shortNumber(standard)} m/s²`]);
        const touches = page.robot.links.some((link) => link.collisions.length > 0);
        const friction = this.slider("friction", 0, 1.5, this.settings.friction, (value) => {
            this.settings.friction = value;
            this.positionsFromState();
            this.running.change();
        });
        const fall = element("button", { type: "button", class: "fall" }, "Drop");
        fall.addEventListener("click", () => this.dropFrom(this.height));
        const height = this.slider("height, m", 0.05, 2 * this.viewer.stage.size, this.height, (value) => (this.height = value));
        this.worldBox.replaceChildren(
            element("h2", {}, "World"),
            ...(touches ? [chips([[true, "ground", "The robot stands on it, and falls on it"], [false, "no ground", "Nothing is in the way"]], (on) => on === this.settings.ground, (ground) => this.set({ ground }))] : []),
            ...(touches && this.settings.ground ? [friction] : []),
            element("h2", {}, "Gravity"),
            chips(gravities, (g) => Math.abs(g - size) < 1e-9, (g) => this.set({ gravity: along(g) })),
            element("h2", {}, "Controller"),
            chips(kControllers, (name) => name === this.settings.controller, (controller) => this.set({ controller })),
            ...(this.robot.lifts ? [element("h2", {}, "Fall"), element("div", { class: "fall-row" }, height, fall)] : []),
        );
    }

    private slider(name: string, lower: number, upper: number, value: number, act: (value: number) => void): HTMLLabelElement {
        const shown = element("output", {}, shortNumber(value));
        const slider = element("input", { type: "range", min: String(lower), max: String(upper), step: "any", "aria-label": name });
        slider.value = String(value);
        const paint = () => {
            shown.textContent = shortNumber(Number(Number(slider.value).toFixed(3)));
            slider.style.setProperty("--part", `${(100 * (Number(slider.value) - lower)) / (upper - lower || 1)}%`);
        };
        paint();
        slider.addEventListener("input", () => {
            paint();
            act(Number(slider.value));
        });
        slider.addEventListener("plucker:paint", paint);
        return element("label", { class: "slider" }, element("span", {}, name), shown, slider);
    }

    private makeSliders(): void {
        const values = this.movesVelocities ? this.velocities : this.isAiming ? this.target : this.positions;
        this.sliders.replaceChildren(
            ...this.coordinates.map((coordinate, k) => {
                const [lower, upper] = this.movesVelocities ? [-3, 3] : [coordinate.lower, coordinate.upper];
                return this.slider(coordinate.name, lower, upper, values[k], (value) => this.move(k, value));
            }),
        );
    }

    private moveSliders(values: number[]): void {
        this.sliders.querySelectorAll("input").forEach((slider, k) => {
            slider.value = String(values[k]);
            slider.dispatchEvent(new Event("plucker:paint"));
        });
    }

    private tell(title: string, list: Finding[]): void {
        const items = element("ul");
        for (const { text, is_error } of list) items.append(element("li", { class: is_error ? "error" : "warning" }, text));
        const close = element("button", { type: "button", class: "close" }, "Close");
        close.addEventListener("click", () => this.findings.close());
        this.findings.replaceChildren(element("h2", {}, title), items, close);
        if (!this.findings.open) this.findings.showModal();
    }

    fit(): void {
        this.viewer?.stage.cover(placePanel(this.panel, this.stage, this.app, kCovered), coveredAbove());
        this.isStale = true;
    }

    private acceptFiles(): void {
        window.addEventListener("dragover", (event) => {
            event.preventDefault();
            this.app.classList.add("dropping");
        });
        window.addEventListener("dragleave", () => this.app.classList.remove("dropping"));
        window.addEventListener("drop", (event) => {
            event.preventDefault();
            this.app.classList.remove("dropping");
            const file = event.dataTransfer?.files[0];
            if (file) void this.takeFile(file);
        });
    }

    private async takeFile(file: File): Promise<void> {
        const text = await file.text();
        this.onFile();
        this.load(text, file.name);
    }

    // Files are dropped, or, where that cannot be done, chosen.
    private fileHint(): HTMLElement {
        const input = element("input", { type: "file", accept: ".urdf,.xml,.sdf", hidden: "" });
        input.addEventListener("change", () => {
            const file = input.files?.[0];
            if (file) void this.takeFile(file);
            input.value = ""; // so that the same file may be chosen again, mended
        });
        const choose = element("button", { type: "button" }, "choose one");
        choose.addEventListener("click", () => input.click());
        return element("p", { class: "drop-hint" }, "or drop a URDF file onto the page, or ", choose, input);
    }

    private listen(): void {
        let pressed: [number, number] | undefined;
        // Before the camera hears of it: what is on a link pulls, what is beside it turns.
        this.stage.addEventListener(
            "pointerdown",
            (event) => {
                if (!this.panel.isConnected || event.target !== this.viewer.stage.renderer.domElement) return;
                pressed = [event.clientX, event.clientY];
                const found = event.button === 0 ? this.viewer.under(event) : undefined;
                if (found && found.body > 0) this.takeHold(found.body, found.point, event);
            },
            true,
        );
        this.stage.addEventListener("pointermove", (event) => {
            if (!this.hold || event.buttons === 0) return;
            this.pullTo(event);
            const moved = pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 4;
            if (moved && !this.running.isRunning) this.run(true);
        });
        const letGo = (event: PointerEvent) => {
            if (!this.panel.isConnected) return;
            const still = pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) < 5;
            pressed = undefined;
            if (this.hold) this.letGoOfLink();
            if (still && event.type === "pointerup") {
                this.viewer.select(this.viewer.under(event)?.body ?? -1);
                this.isStale = true;
            }
        };
        this.stage.addEventListener("pointerup", letGo);
        this.stage.addEventListener("pointercancel", letGo);
        window.addEventListener("keydown", (event) => this.press(event));
    }

    private takeHold(body: number, point: three.Vector3, event: PointerEvent): void {
        const { stage, view } = this.viewer;
        stage.controls.enabled = false;
        this.stage.setPointerCapture(event.pointerId);
        const plane = new three.Plane().setFromNormalAndCoplanarPoint(stage.camera.getWorldDirection(new three.Vector3()), point);
        view.bodies[body].updateWorldMatrix(true, false);
        this.hold = { body, point: view.bodies[body].worldToLocal(point.clone()), to: point.clone(), plane };
    }

    private pullTo(event: PointerEvent): void {
        const ray = new three.Raycaster();
        ray.setFromCamera(new three.Vector2(...this.viewer.aimedAt(event)), this.viewer.stage.camera);
        ray.ray.intersectPlane(this.hold!.plane, this.hold!.to);
    }

    private pull(): void {
        const { body, point, to } = this.hold!;
        const inWorld = to.clone().applyQuaternion(this.viewer.stage.world.quaternion.clone().invert());
        this.running.pull(body, point.toArray(), inWorld.toArray());
    }

    private letGoOfLink(): void {
        this.hold = undefined;
        this.running.pull(0);
        this.grip.hide();
        this.viewer.stage.controls.enabled = true;
        this.viewer.stage.request();
    }

    private press(event: KeyboardEvent): void {
        if (!this.panel.isConnected || event.ctrlKey || event.metaKey || event.altKey || this.findings.open || this.help.open) return;
        if (event.target instanceof HTMLSelectElement) return;
        const layer = this.viewer.layers().find((name) => kLayers[name].key === event.key.toLowerCase());
        if (event.key === " ") this.toggleRun();
        else if (event.key === "Backspace") this.reset();
        else if (this.looks.press(event.key)) this.isStale = true;
        else if (layer) this.layers.querySelector<HTMLButtonElement>(`[data-layer=${layer}]`)?.click();
        else return;
        event.preventDefault();
    }
}

function messageOf(error: unknown): string {
    return error instanceof Error ? error.message : String(error);
}

function joined(lists: Float32Array[]): Float32Array {
    const out = new Float32Array(lists.reduce((sum, list) => sum + list.length, 0));
    let at = 0;
    for (const list of lists) {
        out.set(list, at);
        at += list.length;
    }
    return out;
}
