// Curves of what happens now: the last seconds, drawn anew for each frame.
import { element, shortNumber } from "./dom";
import { ticks } from "./plots";

const kLight = ["#1c6dd0", "#2b8a3e", "#d9480f"];
const kDark = ["#74b3ff", "#6fd08c", "#ff9a5c"];
const kSeconds = 10;
const kMost = 3000; // instants that are kept

export class Strip {
    readonly root = element("div", { class: "strip" });
    private readonly canvas = element("canvas", { class: "curves" });
    private readonly legend = element("div", { class: "legend" });
    private readonly shown: HTMLElement[] = [];
    private times: number[] = [];
    private values: number[][];

    constructor(private readonly names: string[], unit: string) {
        this.values = names.map(() => []);
        names.forEach((name, k) => {
            const swatch = element("i", { "data-curve": String(k) });
            const value = element("span", { class: "value" });
            this.shown.push(value);
            this.legend.append(element("p", {}, swatch, element("span", { class: "name" }, name), value, element("span", { class: "unit" }, unit)));
        });
        this.root.append(this.canvas, this.legend);
    }

    clear(): void {
        this.times = [];
        this.values = this.names.map(() => []);
    }

    add(time: number, values: number[]): void {
        if (this.times.length > 0 && time < this.times[this.times.length - 1]) this.clear();
        if (time === this.times[this.times.length - 1]) return;
        this.times.push(time);
        values.forEach((value, k) => this.values[k].push(value));
        let old = Math.max(0, this.times.length - kMost);
        while (this.times[old] < time - kSeconds) ++old;
        if (old < 256) return; // by many at once: to take one away moves all others
        this.times.splice(0, old);
        for (const list of this.values) list.splice(0, old);
    }

    draw(isDark: boolean): void {
        const { clientWidth: w, clientHeight: h } = this.canvas;
        if (w === 0 || h === 0) return;
        const ratio = window.devicePixelRatio || 1;
        this.canvas.width = Math.round(w * ratio);
        this.canvas.height = Math.round(h * ratio);
        const context = this.canvas.getContext("2d")!;
        context.scale(ratio, ratio);
        const colors = isDark ? kDark : kLight;
        const end = Math.max(kSeconds, this.times[this.times.length - 1] ?? 0);
        const begin = end - kSeconds;
        const all = this.values.flat();
        let low = all.reduce((a, b) => Math.min(a, b), Infinity);
        let high = all.reduce((a, b) => Math.max(a, b), -Infinity);
        if (!(low <= high)) [low, high] = [0, 1];
        const room = 0.08 * (high - low) || 0.5;
        [low, high] = [low - room, high + room];
        const left = 60;
        const bottom = 20;
        const x = (time: number) => left + ((time - begin) / kSeconds) * (w - left - 12);
        const y = (value: number) => 8 + (1 - (value - low) / (high - low)) * (h - 8 - bottom);
        context.font = "11px system-ui, sans-serif";
        context.strokeStyle = isDark ? "rgba(200,214,235,0.13)" : "rgba(30,50,80,0.10)";
        context.fillStyle = isDark ? "#9aa7ba" : "#5b6675";
        context.textAlign = "right";
        context.textBaseline = "middle";
        for (const tick of ticks(low, high, Math.max(2, Math.floor(h / 34)))) {
            line(context, left, y(tick), w - 12, y(tick));
            context.fillText(shortNumber(tick), left - 8, y(tick));
        }
        context.textAlign = "center";
        context.textBaseline = "alphabetic";
        for (const tick of ticks(begin, end, Math.max(2, Math.min(10, Math.floor(w / 90))))) {
            line(context, x(tick), 8, x(tick), h - bottom);
            context.fillText(`${shortNumber(tick)} s`, x(tick), h - 5);
        }
        context.save();
        context.beginPath();
        context.rect(left, 0, w - left - 12, h);
        context.clip();
        this.values.forEach((values, k) => {
            context.strokeStyle = colors[k];
            context.lineWidth = 1.8;
            context.beginPath();
            values.forEach((value, i) => context.lineTo(x(this.times[i]), y(value)));
            context.stroke();
            this.shown[k].textContent = values.length > 0 ? shortNumber(values[values.length - 1]) : "";
            (this.legend.children[k].firstChild as HTMLElement).style.background = colors[k];
        });
        context.restore();
    }
}

function line(context: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x0, y0);
    context.lineTo(x1, y1);
    context.stroke();
}
