// The page in which the library runs begins here.
import { bytesOf, readPage } from "./data";
import { button, element, kIcons } from "./dom";
import { Gallery } from "./gallery";
import { Lesson } from "./lesson";
import { Library, type Wishes } from "./library";
import type { Mode } from "./mode";
import { Play } from "./play";

// How the robot of the page is loaded into the library, and what the page begins with.
interface Source extends Wishes {
    builtin?: string;
    text?: string;
    file?: string;
    begin?: "robot" | "gallery" | "lesson";
}

class LivePage {
    readonly play: Play;
    readonly lesson: Lesson;
    readonly gallery: Gallery;
    current: Mode;
    private isDark = false;
    private readonly helpButton: HTMLButtonElement;
    private readonly chooser = element("nav", { class: "chooser", "aria-label": "What to do" });

    constructor(private readonly library: Library, app: HTMLElement, begin: "gallery" | "play" | "lesson") {
        const stage = element("main", { class: "stage" });
        app.append(stage);
        this.play = new Play(library, app, stage);
        this.lesson = new Lesson(library, app, stage);
        this.gallery = new Gallery(library, stage, (name) => this.playWith(name));
        this.play.onFile = () => this.choose(this.play);
        this.current = this[begin];
        for (const mode of [this.gallery, this.play, this.lesson]) {
            const tab = element("button", { type: "button", "data-mode": mode.name }, mode.name);
            tab.addEventListener("click", () => this.choose(mode));
            this.chooser.append(tab);
        }
        this.helpButton = button("Keys and help (?)", kIcons.help, () => this.current.showHelp?.());
        stage.append(this.chooser, element("nav", { class: "tools" }, button("Light or dark (d)", kIcons.theme, () => this.dark(!this.isDark)), this.helpButton));
        window.addEventListener("keydown", (event) => {
            if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
            if (event.key === "d") this.dark(!this.isDark);
            else if (event.key === "?") this.current.showHelp?.();
        });
        new ResizeObserver(() => {
            if (this.current === this.play) this.play.fit();
            else if (this.current === this.lesson) this.lesson.fit();
        }).observe(stage);
    }

    start(): void {
        this.current.enter();
        this.mark();
        this.dark(window.matchMedia("(prefers-color-scheme: dark)").matches);
    }

    choose(mode: Mode): void {
        if (mode === this.current) return;
        this.current.leave();
        this.current = mode;
        this.current.enter();
        this.mark();
        this.current.dark(this.isDark);
    }

    // A robot of the gallery.
    playWith(name: string): void {
        this.play.later({ load: () => this.library.builtin(name), builtin: name });
        this.choose(this.play);
    }

    dark(isDark: boolean): void {
        this.isDark = isDark;
        document.documentElement.dataset.theme = isDark ? "dark" : "light";
        this.current.dark(isDark);
    }

    private mark(): void {
        this.helpButton.hidden = !this.current.showHelp;
        for (const tab of this.chooser.children) tab.setAttribute("aria-pressed", String(tab.getAttribute("data-mode") === this.current.name));
    }
}

async function start(): Promise<void> {
    const app = document.getElementById("app")!;
    const wasm = document.getElementById("wasm");
    if (!wasm) throw new Error("this page has no library in it; plucker play writes one that has");
    const begin = performance.now();
    const library = await Library.start(bytesOf(wasm.textContent ?? ""));
    const started = performance.now() - begin;
    wasm.remove();
    const source = JSON.parse(document.getElementById("source")?.textContent ?? "{}") as Source;
    const { builtin = "exoskeleton", text, file = "robot.urdf", begin: first = "robot", ...wishes } = source;
    const load = () => (text !== undefined ? library.load(text, file, wishes) : library.builtin(builtin, wishes));
    const page = new LivePage(library, app, first === "robot" ? "play" : first);
    page.play.later({ load, drawn: readPage(), builtin: text === undefined ? builtin : undefined });
    page.start();
    page.dark(document.documentElement.dataset.theme === "dark");
    let before = performance.now();
    const tick = (now: number) => {
        page.current.draw(Math.max(0, now - before) / 1000);
        before = now;
        requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    // For tests, and for whoever opens the console.
    Object.assign(window, { plucker: { page, library, play: page.play, lesson: page.lesson, gallery: page.gallery, milliseconds: { library: started }, get viewer() { return page.current.viewer; } } });
}

start().catch((error: unknown) => {
    console.error(error);
    const said = error instanceof Error ? error.message : String(error);
    const hint = error instanceof WebAssembly.CompileError ? " This browser is too old for the library: it lacks WebAssembly's SIMD or exceptions." : "";
    document.getElementById("app")!.replaceChildren(element("p", { class: "failure" }, `The page cannot start: ${said.replace(/\.$/, "")}.${hint}`));
});
