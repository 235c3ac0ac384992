// The page in which the library runs begins here.
import { bytesOf, readPage } from "./data";
import { button, element, kIcons } from "./dom";
import { Lesson } from "./lesson";
import { Library, type Wishes } from "./library";
import type { Mode } from "./mode";
import { Play } from "./play";

// How the robot of the page is loaded into the library, and what the page begins with.
interface Source extends Wishes {
    builtin?: string;
    text?: string;
    file?: string;
    learn?: boolean;
}

class LivePage {
    readonly play: Play;
    readonly lesson: Lesson;
    current: Mode;
    private isDark = false;
    private readonly chooser = element("nav", { class: "chooser", "aria-label": "What to do" });

    constructor(library: Library, app: HTMLElement, begin: "play" | "lesson") {
        const stage = element("main", { class: "stage" });
        app.append(stage);
        this.play = new Play(library, app, stage);
        this.lesson = new Lesson(library, app, stage);
        this.current = this[begin];
        for (const mode of [this.play, this.lesson]) {
            const tab = element("button", { type: "button", "data-mode": mode.name }, mode.name);
            tab.addEventListener("click", () => this.choose(mode));
            this.chooser.append(tab);
        }
        stage.append(this.chooser, element("nav", { class: "tools" }, button("Light or dark (d)", kIcons.theme, () => this.dark(!this.isDark))));
        window.addEventListener("keydown", (event) => {
            if (event.key === "d" && !event.ctrlKey && !event.metaKey && !event.altKey) this.dark(!this.isDark);
        });
        new ResizeObserver(() => {
            if (this.current === this.play) this.play.fit();
            else this.lesson.fit();
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

    dark(isDark: boolean): void {
        this.isDark = isDark;
        document.documentElement.dataset.theme = isDark ? "dark" : "light";
        this.current.dark(isDark);
    }

    private mark(): void {
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
    const { builtin = "exoskeleton", text, file = "robot.urdf", learn = false, ...wishes } = source;
    const page = new LivePage(library, app, learn ? "lesson" : "play");
    page.start();
    const load = () => (text !== undefined ? library.load(text, file, wishes) : library.builtin(builtin, wishes));
    if (learn) page.play.later(load, readPage());
    else page.play.show(load, readPage());
    page.dark(document.documentElement.dataset.theme === "dark");
    let before = performance.now();
    const tick = (now: number) => {
        page.current.draw(Math.max(0, now - before) / 1000);
        before = now;
        requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    // For tests, and for whoever opens the console.
    Object.assign(window, { plucker: { page, library, play: page.play, lesson: page.lesson, milliseconds: { library: started }, get viewer() { return page.current.viewer; } } });
}

start().catch((error: unknown) => {
    console.error(error);
    const said = error instanceof Error ? error.message : String(error);
    document.getElementById("app")!.replaceChildren(element("p", { class: "failure" }, `The page cannot start: ${said}.`));
});
