// The page around the picture: what is shown, the tree, time, plots, keys.
import { button, element, factsOf, icon, kIcons } from "./dom";
import { helpDialog } from "./help";
import { Hint } from "./hint";
import { kLayers, LayerChips, modeLegend } from "./layers";
import { kLookKeys, LookChips } from "./look";
import { Plots } from "./plots";
import { kSpeeds } from "./player";
import type { Viewer } from "./viewer";

export class PageFrame {
    private readonly plots: Plots;
    private readonly playButton: HTMLButtonElement;
    private readonly timeLabel = element("output", { class: "time" });
    private readonly scrubber: HTMLInputElement;
    private readonly speedButton: HTMLButtonElement;
    private readonly chips: LayerChips;
    private readonly rows: HTMLElement[] = []; // of the tree, by body
    private readonly hint: Hint;
    private readonly looks: LookChips;
    private readonly help: HTMLDialogElement;
    private isDark = false;

    constructor(private readonly viewer: Viewer, app: HTMLElement, stageElement: HTMLElement) {
        const { player, page } = viewer;
        document.title = page.title;
        this.chips = new LayerChips(viewer);
        this.hint = new Hint(viewer);

        this.playButton = button("Play (space)", kIcons.play, () => player.toggle(), { class: "play" });
        this.scrubber = element("input", { type: "range", min: "0", max: "1000", step: "any", "aria-label": "Time" });
        this.scrubber.addEventListener("input", () => player.set(player.begin + (Number(this.scrubber.value) / 1000) * player.duration));
        this.speedButton = element("button", { type: "button", class: "speed", title: "Speed ([ slower, ] faster)" });
        this.speedButton.addEventListener("click", () => {
            player.speed = kSpeeds[(kSpeeds.indexOf(player.speed) + 1) % kSpeeds.length];
            player.onChange();
        });
        this.plots = new Plots(viewer.motion.data, player, page.robot.nv > 40);

        this.looks = new LookChips(viewer);
        this.help = this.makeHelp();
        const dock = element(
            "footer",
            { class: "dock" },
            element(
                "div",
                { class: "transport" },
                button("One instant back (←)", kIcons.back, () => this.step(-1)),
                this.playButton,
                button("One instant forward (→)", kIcons.forward, () => this.step(1)),
                this.timeLabel,
                this.scrubber,
                this.speedButton,
                button("Plots (l)", kIcons.chart, () => this.togglePlots()),
            ),
            this.plots.root,
        );
        stageElement.append(this.makeTitle(), this.makePanel(), this.makeTools(), this.hint.root);
        app.append(stageElement, dock, this.help);
        if (player.duration <= 0) dock.classList.add("still");

        player.onChange = () => {
            viewer.update();
            this.update();
        };
        this.listen(stageElement);
        this.applyTheme(window.matchMedia("(prefers-color-scheme: dark)").matches);
        if (window.innerWidth < 760) document.body.classList.add("no-panel", "no-plots");
        new ResizeObserver(() => {
            this.makeRoom();
            this.plots.redraw();
        }).observe(stageElement);
        this.update();
    }

    applyTheme(isDark: boolean): void {
        this.isDark = isDark;
        document.documentElement.dataset.theme = isDark ? "dark" : "light";
        this.viewer.dark(isDark);
        this.plots.dark(isDark);
    }

    csv(): string {
        return this.plots.csv();
    }

    showPlot(group: string): void {
        this.plots.choose(group);
    }

    private update(): void {
        const { player } = this.viewer;
        const name = player.playing ? "Pause (space)" : "Play (space)";
        if (this.playButton.title !== name) {
            this.playButton.title = name;
            this.playButton.setAttribute("aria-label", name);
            this.playButton.replaceChildren(icon(player.playing ? kIcons.pause : kIcons.play));
        }
        this.timeLabel.textContent = `${player.time.toFixed(2)} s`;
        this.scrubber.value = String(player.duration > 0 ? (1000 * (player.time - player.begin)) / player.duration : 0);
        this.scrubber.style.setProperty("--part", `${Number(this.scrubber.value) / 10}%`);
        this.speedButton.textContent = `${player.speed}×`;
        this.plots.update();
    }

    private makeTitle(): HTMLElement {
        const { robot, motions, demonstration } = this.viewer.page;
        const said = demonstration ? "each joint in turn" : motions.map((motion) => motion.name).join(", ");
        return element("header", { class: "title" }, element("h1", {}, robot.name), element("p", {}, factsOf(robot)), element("p", { class: "motion" }, said));
    }

    private makeTools(): HTMLElement {
        return element(
            "nav",
            { class: "tools", "aria-label": "Page" },
            button("Light or dark (d)", kIcons.theme, () => this.applyTheme(!this.isDark)),
            button("Keys and help (?)", kIcons.help, () => this.help.showModal()),
            button("Panel (\\)", kIcons.panel, () => this.togglePanel()),
        );
    }

    private makePanel(): HTMLElement {
        return element(
            "aside",
            { class: "panel", "aria-label": "What is shown" },
            element("h2", {}, "Show"),
            this.chips.root,
            ...(this.viewer.shown.has("contacts") ? [modeLegend()] : []),
            element("h2", {}, "Look"),
            this.looks.root,
            element("h2", {}, "Links"),
            this.makeTree(),
        );
    }

    private makeTree(): HTMLElement {
        const { bodies } = this.viewer.page.robot;
        const tree = element("div", { class: "tree", role: "tree" });
        const depth: number[] = [0];
        bodies.forEach((body, i) => {
            if (i > 0) depth[i] = depth[body.parent] + 1;
            const row = element("button", { type: "button", role: "treeitem", "data-body": String(i) }, element("span", {}, body.name));
            row.style.paddingLeft = `${0.6 + 0.7 * Math.min(depth[i], 9)}rem`;
            if (body.joint) {
                const said = body.joint.name === body.name ? body.joint.type : body.joint.name;
                row.append(element("small", {}, said));
                row.title = `${body.name}: ${said}`;
            }
            row.addEventListener("click", () => this.select(this.viewer.selected === i ? -1 : i));
            this.rows.push(row);
            tree.append(row);
        });
        return tree;
    }

    private makeHelp(): HTMLDialogElement {
        const keys: [string, string][] = [
            ["space", "play, pause"],
            ["← →", "one instant; with shift, a second"],
            ["[ ]", "slower, faster"],
            ...kLookKeys,
            ["d", "light or dark"],
            ["l", "plots"],
            ["\\", "panel"],
            ...this.viewer.layers().map((layer): [string, string] => [kLayers[layer].key, kLayers[layer].name.toLowerCase()]),
        ];
        return helpDialog("Looking at a robot", "Drag to turn, drag with the right button or two fingers to move, scroll or pinch to come closer. Click a link to mark it.", keys);
    }

    private togglePanel(): void {
        document.body.classList.toggle("no-panel");
        this.makeRoom();
    }

    // The panel lies over the picture, except on a phone, where it comes and goes.
    private makeRoom(): void {
        const isOpen = !document.body.classList.contains("no-panel") && window.innerWidth >= 760;
        this.viewer.stage.cover(isOpen ? 260 : 0);
    }

    private togglePlots(): void {
        document.body.classList.toggle("no-plots");
        this.plots.redraw();
    }

    private step(instants: number): void {
        const { player, motion } = this.viewer;
        player.playing = false;
        const k = Math.min(motion.instants - 1, Math.max(0, motion.indexAt(player.time) + instants));
        player.set(motion.data.times[k]);
    }

    private select(body: number): void {
        this.viewer.select(body);
        this.rows.forEach((row, i) => row.setAttribute("aria-selected", String(i === body)));
        if (body >= 0) this.rows[body].scrollIntoView({ block: "nearest" });
    }

    private listen(stageElement: HTMLElement): void {
        const canvas = this.viewer.stage.renderer.domElement;
        let pressed: [number, number] | undefined;
        canvas.addEventListener("pointerdown", (event) => (pressed = [event.clientX, event.clientY]));
        canvas.addEventListener("pointerup", (event) => {
            const still = pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) < 5;
            pressed = undefined;
            if (still) this.select(this.viewer.under(event)?.body ?? -1);
        });
        this.hint.listen(stageElement);
        window.addEventListener("keydown", (event) => this.press(event));
    }

    private press(event: KeyboardEvent): void {
        if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
        const { viewer } = this;
        const { player } = viewer;
        const acts: Record<string, () => void> = {
            " ": () => player.toggle(),
            ArrowLeft: () => (event.shiftKey ? player.set(player.time - 1) : this.step(-1)),
            ArrowRight: () => (event.shiftKey ? player.set(player.time + 1) : this.step(1)),
            "[": () => player.faster(-1),
            "]": () => player.faster(1),
            d: () => this.applyTheme(!this.isDark),
            l: () => this.togglePlots(),
            "\\": () => this.togglePanel(),
            "?": () => this.help.showModal(),
            Escape: () => this.select(-1),
        };
        const layer = viewer.layers().find((name) => kLayers[name].key === event.key.toLowerCase());
        const act = acts[event.key] ?? (layer && (() => this.chips.toggle(layer)));
        if (act) act();
        else if (!this.looks.press(event.key)) return;
        event.preventDefault();
    }
}
