// The page in which the library runs: joints to move, and what it computes for each posture.
import { bytesOf, readPage, type Page } from "./data";
import { button, element, kIcons, shortNumber } from "./dom";
import { type Coordinate, type Finding, Library, type LoadedRobot, type Wishes } from "./library";
import type { LiveMotion } from "./motion";
import { Viewer } from "./viewer";

// How the robot of the page is loaded into the library; absent in a gallery.
interface Source extends Wishes {
    builtin?: string;
    text?: string;
    file?: string;
}

type Matrix = number[][];

class Play {
    private viewer!: Viewer;
    private coordinates: Coordinate[] = [];
    private positions: number[] = [];
    private velocities: number[] = [];
    private movesVelocities = false;
    private shownQuantity = "gravity torque";
    private isStale = true;
    private readonly sliders = element("div", { class: "sliders" });
    private readonly numbers = element("div", { class: "numbers-body" });
    private readonly tabs = element("div", { class: "tabs", role: "tablist" });
    private readonly title = element("header", { class: "title" });
    private readonly gallery = element("select", { "aria-label": "Built-in robots" });
    private readonly findings = element("dialog", { class: "help findings" });
    private isDark = false;

    constructor(private readonly library: Library, private readonly app: HTMLElement, private readonly stage: HTMLElement) {
        for (const name of ["gravity torque", "mass matrix M", "Coriolis matrix C", "Jacobian", "energy"]) {
            const tab = element("button", { type: "button", role: "tab", "data-group": name }, name);
            tab.addEventListener("click", () => this.choose(name));
            this.tabs.append(tab);
        }
        for (const name of inOrder(library.names())) this.gallery.append(element("option", { value: name }, name));
        this.gallery.addEventListener("change", () => this.show(library.builtin(this.gallery.value)));
        const modes = element("div", { class: "chips" });
        for (const [name, moves] of [["positions", false], ["velocities", true]] as const) {
            const chip = element("button", { type: "button", "aria-pressed": String(!moves) }, name);
            chip.addEventListener("click", () => {
                this.movesVelocities = moves;
                for (const other of modes.children) other.setAttribute("aria-pressed", String(other === chip));
                this.makeSliders();
            });
            modes.append(chip);
        }
        const reset = element("button", { type: "button" }, "reset");
        reset.addEventListener("click", () => this.reset());
        modes.append(reset);
        const panel = element("aside", { class: "panel", "aria-label": "Joints" }, element("h2", {}, "Robot"), this.gallery, element("p", { class: "drop-hint" }, "or drop a URDF file onto the page"), element("h2", {}, "Joints"), modes, this.sliders);
        const tools = element("nav", { class: "tools" }, button("Light or dark", kIcons.theme, () => this.applyTheme(!this.isDark)));
        stage.append(this.title, panel, tools);
        const dock = element("footer", { class: "dock" }, element("section", { class: "plots" }, element("div", { class: "plot-head" }, this.tabs), this.numbers));
        app.append(stage, dock, this.findings);
        this.findings.addEventListener("click", (event) => {
            if (event.target === this.findings) this.findings.close();
        });
        this.acceptFiles();
        new ResizeObserver(() => this.fitStage()).observe(stage);
    }

    // Shows a robot that the library has loaded; `drawn` may know more of its looks, such as meshes.
    show(robot: LoadedRobot, drawn?: Page): void {
        if (!robot.page) {
            this.tell("This file is refused", robot.findings);
            return;
        }
        if (robot.findings.some((finding) => finding.is_warning)) this.tell("This was found in the file", robot.findings);
        this.viewer?.remove();
        this.viewer = new Viewer(drawn ?? robot.page, this.stage, true);
        this.stage.prepend(this.viewer.stage.renderer.domElement);
        this.coordinates = robot.coordinates;
        this.reset();
        const { name, mass, bodies, nv } = this.viewer.page.robot;
        document.title = name;
        this.title.replaceChildren(element("h1", {}, name), element("p", {}, `${shortNumber(mass)} kg · ${bodies.length - 1} bodies · ${nv} freedoms`));
        this.applyTheme(this.isDark);
        this.fitStage();
        this.viewer.look("corner");
    }

    load(text: string, file: string): void {
        try {
            this.show(this.library.load(text, file));
        } catch (error) {
            this.tell("This file is refused", [{ is_error: true, is_warning: false, text: error instanceof Error ? error.message : String(error) }]);
        }
    }

    applyTheme(isDark: boolean): void {
        this.isDark = isDark;
        document.documentElement.dataset.theme = isDark ? "dark" : "light";
        this.viewer?.stage.dark(isDark);
    }

    // Once a frame.
    draw(): void {
        if (this.isStale) this.compute();
        this.isStale = false;
        this.viewer.stage.draw();
    }

    move(coordinate: number, value: number): void {
        (this.movesVelocities ? this.velocities : this.positions)[coordinate] = value;
        this.isStale = true;
    }

    // What the library says of this posture.
    answer(quantities: string[]): Record<string, unknown> {
        const { robot } = this.viewer.page;
        const { q } = this.library.posture(this.positions, robot.nq, robot.bodies.length - 1);
        const body = robot.bodies[Math.max(1, this.viewer.selected)];
        return this.library.evaluate({ q, v: this.velocities }, quantities, [body?.name ?? ""].filter((name) => name !== ""));
    }

    choose(name: string): void {
        this.shownQuantity = name;
        for (const tab of this.tabs.children) tab.setAttribute("aria-selected", String(tab.getAttribute("data-group") === name));
        this.isStale = true;
    }

    private reset(): void {
        this.positions = this.coordinates.map(({ lower, upper }) => Math.min(upper, Math.max(lower, 0)));
        this.velocities = this.coordinates.map(() => 0);
        this.makeSliders();
        this.choose(this.shownQuantity);
    }

    private makeSliders(): void {
        const values = this.movesVelocities ? this.velocities : this.positions;
        this.sliders.replaceChildren(
            ...this.coordinates.map((coordinate, k) => {
                const value = element("output", {}, shortNumber(values[k]));
                const [lower, upper] = this.movesVelocities ? [-3, 3] : [coordinate.lower, coordinate.upper];
                const slider = element("input", { type: "range", min: String(lower), max: String(upper), step: "any", "aria-label": coordinate.name });
                slider.value = String(values[k]);
                const paint = () => slider.style.setProperty("--part", `${(100 * (Number(slider.value) - lower)) / (upper - lower || 1)}%`);
                paint();
                slider.addEventListener("input", () => {
                    value.textContent = shortNumber(Number(slider.value));
                    paint();
                    this.move(k, Number(slider.value));
                });
                return element("label", {}, element("span", {}, coordinate.name), value, slider);
            }),
        );
    }

    private compute(): void {
        const { robot } = this.viewer.page;
        const { poses, center } = this.library.posture(this.positions, robot.nq, robot.bodies.length - 1);
        (this.viewer.motion as LiveMotion).put(poses, center);
        this.viewer.update();
        this.numbers.replaceChildren(this.picture());
    }

    private picture(): HTMLElement {
        const names = this.coordinates.map(({ name }) => name);
        switch (this.shownQuantity) {
            case "mass matrix M":
                return heat(this.answer(["mass_matrix"]).mass_matrix as Matrix, names);
            case "Coriolis matrix C":
                return heat(this.answer(["coriolis_matrix"]).coriolis_matrix as Matrix, names);
            case "Jacobian": {
                const frames = this.answer(["frames"]).frames as Record<string, { jacobian_world_aligned: Matrix }>;
                const [link, { jacobian_world_aligned: jacobian }] = Object.entries(frames)[0];
                const out = heat(jacobian, ["ωx", "ωy", "ωz", "vx", "vy", "vz"]);
                out.prepend(element("p", { class: "caption" }, `of ${link}, along the world's axes; click a link to choose it`));
                return out;
            }
            case "energy": {
                const { kinetic_energy, potential_energy } = this.answer(["kinetic_energy", "potential_energy"]) as Record<string, number>;
                return bars([kinetic_energy, potential_energy, kinetic_energy + potential_energy], ["kinetic", "potential", "total"], () => "J");
            }
            default:
                return bars(this.answer(["gravity_torque"]).gravity_torque as number[], names, (k) => (this.coordinates[k].turns ? "N m" : "N"));
        }
    }

    private tell(title: string, list: Finding[]): void {
        const items = element("ul");
        for (const { text, is_error } of list) items.append(element("li", { class: is_error ? "error" : "warning" }, text));
        const close = element("button", { type: "button", class: "close" }, "Close");
        close.addEventListener("click", () => this.findings.close());
        this.findings.replaceChildren(element("h2", {}, title), items, close);
        if (!this.findings.open) this.findings.showModal();
    }

    private fitStage(): void {
        this.viewer?.stage.cover(window.innerWidth >= 760 ? 300 : 0);
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
            if (file) void file.text().then((text) => this.load(text, file.name));
        });
        this.stage.addEventListener("click", (event) => {
            const canvas = this.viewer.stage.renderer.domElement;
            if (event.target !== canvas) return;
            const box = canvas.getBoundingClientRect();
            const found = this.viewer.find((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height);
            this.viewer.select(found?.body ?? -1);
            this.isStale = true;
        });
    }
}

// The exoskeleton and the lamp first.
function inOrder(names: string[]): string[] {
    const first = ["exoskeleton", "lamp"];
    return [...first.filter((name) => names.includes(name)), ...names.filter((name) => !first.includes(name))];
}

function bars(values: number[], names: string[], unit: (k: number) => string): HTMLElement {
    const most = Math.max(1e-12, ...values.map(Math.abs));
    const out = element("div", { class: "bars" });
    values.forEach((value, k) => {
        const bar = element("i");
        const part = (50 * Math.abs(value)) / most;
        bar.style.width = `${part}%`;
        bar.style.left = value < 0 ? `${50 - part}%` : "50%";
        out.append(element("span", { class: "name" }, names[k] ?? ""), element("span", { class: "bar" }, bar), element("span", { class: "value" }, `${shortNumber(value)} ${unit(k)}`));
    });
    return out;
}

// A matrix as squares: blue below zero, orange above; numbers where there is room.
function heat(matrix: Matrix, names: string[]): HTMLElement {
    const columns = matrix[0]?.length ?? 0;
    const most = Math.max(1e-12, ...matrix.flat().map(Math.abs));
    const table = element("table", { class: columns > 12 ? "heat tight" : "heat" });
    matrix.forEach((row, i) => {
        const line = element("tr", {}, element("th", {}, names[i] ?? ""));
        row.forEach((x, k) => {
            const cell = element("td", { title: `${names[i] ?? i}, ${k}: ${x}` });
            const part = Math.sqrt(Math.abs(x) / most);
            cell.style.background = `color-mix(in srgb, ${x < 0 ? "#2f8fdd" : "#f2793a"} ${(85 * part).toFixed(1)}%, transparent)`;
            if (columns <= 12) cell.textContent = shortNumber(x);
            line.append(cell);
        });
        table.append(line);
    });
    return element("div", { class: "heat-box" }, table);
}

async function start(): Promise<void> {
    const app = document.getElementById("app")!;
    const wasm = document.getElementById("wasm");
    if (!wasm) throw new Error("this page has no library in it; plucker play writes one that has");
    const library = await Library.start(bytesOf(wasm.textContent ?? ""));
    wasm.remove();
    const stage = element("main", { class: "stage" });
    const play = new Play(library, app, stage);
    const source = JSON.parse(document.getElementById("source")?.textContent ?? "{}") as Source;
    const { builtin = "exoskeleton", text, file = "robot.urdf", ...wishes } = source;
    const robot = text !== undefined ? library.load(text, file, wishes) : library.builtin(builtin, wishes);
    play.applyTheme(window.matchMedia("(prefers-color-scheme: dark)").matches);
    play.show(robot, readPage());
    const tick = () => {
        play.draw();
        requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    Object.assign(window, { plucker: { play, library, get viewer() { return play["viewer"]; } } });
}

start().catch((error: unknown) => {
    console.error(error);
    const said = error instanceof Error ? error.message : String(error);
    document.getElementById("app")!.replaceChildren(element("p", { class: "failure" }, `The page cannot start: ${said}.`));
});
