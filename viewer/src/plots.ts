// Curves under the picture, with a cursor at the time that is shown.
import { button, element, kIcons, shortNumber } from "./dom";
import type { MotionData, Series } from "./data";
import { lastNotAfter } from "./motion";
import type { Player } from "./player";

// Told apart by those who see few colours, too: they differ in lightness.
const kLight = ["#1c6dd0", "#d9480f", "#2b8a3e", "#9c36b5", "#b08900", "#0b7285", "#c2255c", "#5c940d", "#5f3dc4", "#846358"];
const kDark = ["#74b3ff", "#ff9a5c", "#6fd08c", "#e599f7", "#ffd43b", "#66d9e8", "#faa2c1", "#c0eb75", "#b197fc", "#d6bfb2"];
const kMostAtOnce = 8;
const kEnd = 12; // letters of a name that are always there

interface Margins {
    left: number;
    right: number;
    top: number;
    bottom: number;
}

export class Plots {
    readonly root = element("section", { class: "plots", "aria-label": "Plots" });
    private readonly tabs = element("div", { class: "tabs", role: "tablist" });
    private readonly canvas = element("canvas", { class: "curves" });
    private readonly legend = element("div", { class: "legend" });
    private readonly groups: Map<string, Series[]>;
    private readonly hidden = new Set<Series>();
    private readonly colors = new Map<Series, number>(); // those that are shown at first differ
    private readonly values = new Map<Series, HTMLElement>();
    private group: string;
    private background?: HTMLCanvasElement; // the curves, drawn once; the cursor is drawn over them
    private margins: Margins = { left: 56, right: 12, top: 10, bottom: 22 };
    private isDark = false;

    constructor(private readonly motion: MotionData, private readonly player: Player, private readonly isFew: boolean) {
        this.groups = new Map();
        for (const series of motion.series) {
            const list = this.groups.get(series.group) ?? [];
            list.push(series);
            this.groups.set(series.group, list);
        }
        this.group = motion.series[0]?.group ?? "";
        for (const name of this.groups.keys()) {
            const tab = element("button", { type: "button", role: "tab", "data-group": name }, name);
            tab.addEventListener("click", () => this.choose(name));
            this.tabs.append(tab);
        }
        const csv = button("Download all curves as CSV", kIcons.download, () => this.download(), { class: "small" });
        this.root.append(element("div", { class: "plot-head" }, this.tabs, csv), element("div", { class: "plot-body" }, this.canvas, this.legend));
        this.canvas.addEventListener("pointerdown", (event) => {
            this.canvas.setPointerCapture(event.pointerId);
            this.scrub(event);
        });
        this.canvas.addEventListener("pointermove", (event) => {
            if (event.buttons & 1) this.scrub(event);
        });
        for (const list of this.groups.values()) {
            this.hideMost(list);
            const ordered = [...list].sort((a, b) => Number(this.hidden.has(a)) - Number(this.hidden.has(b)));
            ordered.forEach((series, k) => this.colors.set(series, k));
        }
        this.choose(this.groups.has("energy") && this.isFew ? "energy" : this.group);
    }

    dark(isDark: boolean): void {
        this.isDark = isDark;
        this.choose(this.group);
    }

    choose(name: string): void {
        this.group = name;
        for (const tab of this.tabs.children) tab.setAttribute("aria-selected", String(tab.getAttribute("data-group") === name));
        this.values.clear();
        // What is shown comes first.
        const order = [...this.series()].sort((a, b) => (this.colors.get(a) ?? 0) - (this.colors.get(b) ?? 0));
        this.legend.replaceChildren(...order.map((series) => this.legendEntry(series)));
        this.redraw();
    }

    redraw(): void {
        this.background = undefined;
        this.update();
    }

    // The cursor, and the numbers where it is.
    update(): void {
        const { clientWidth, clientHeight } = this.canvas;
        if (clientWidth === 0 || clientHeight === 0) return;
        const ratio = window.devicePixelRatio || 1;
        const width = Math.round(clientWidth * ratio);
        const height = Math.round(clientHeight * ratio);
        if (!this.background || this.background.width !== width || this.background.height !== height) {
            this.background = this.drawCurves(width, height, ratio);
        }
        if (this.canvas.width !== width || this.canvas.height !== height) {
            this.canvas.width = width;
            this.canvas.height = height;
        }
        const context = this.canvas.getContext("2d")!;
        context.clearRect(0, 0, width, height);
        context.drawImage(this.background, 0, 0);
        const x = ratio * this.xOf(this.player.time, clientWidth);
        context.strokeStyle = this.isDark ? "#ff9a5c" : "#e8590c";
        context.lineWidth = 1.5 * ratio;
        context.beginPath();
        context.moveTo(x, ratio * this.margins.top);
        context.lineTo(x, height - ratio * this.margins.bottom);
        context.stroke();
        const k = lastNotAfter(this.motion.times, this.player.time);
        for (const [series, place] of this.values) place.textContent = shortNumber(series.values[k]);
    }

    // All curves of the recording, one column each, as they are on the page: in single precision.
    csv(): string {
        const { times, series } = this.motion;
        const quoted = (text: string) => (/[",;\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
        const rows = [["time", ...series.map((s) => quoted(`${s.group}.${s.name}`))].join(",")];
        for (let k = 0; k < times.length; ++k) rows.push([times[k], ...series.map((s) => Number(s.values[k].toPrecision(8)))].join(","));
        return rows.join("\n") + "\n";
    }

    private download(): void {
        const link = element("a", { download: `${this.motion.name}.csv`, href: URL.createObjectURL(new Blob([this.csv()], { type: "text/csv" })) });
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    }

    private series(): Series[] {
        return this.groups.get(this.group) ?? [];
    }

    // Of many curves the first few that move are shown; the legend has the others.
    private hideMost(list: Series[]): void {
        if (list.length <= kMostAtOnce) return;
        const spread = new Map(list.map((series) => [series, extent(series.values)[1] - extent(series.values)[0]]));
        const chosen = new Set([...list].sort((a, b) => spread.get(b)! - spread.get(a)!).slice(0, kMostAtOnce));
        for (const series of list) if (!chosen.has(series)) this.hidden.add(series);
    }

    private legendEntry(series: Series): HTMLElement {
        const value = element("span", { class: "value" });
        this.values.set(series, value);
        const swatch = element("i");
        swatch.style.background = this.color(series);
        const out = element("button", { type: "button", title: `${series.name}: show or hide`, "aria-pressed": String(!this.hidden.has(series)) }, swatch);
        // Long names differ at their ends: what does not fit is left out in the middle.
        const word = series.name.slice(-kEnd).search(/[._/ ]/);
        const end = series.name.length > kEnd + 4 ? series.name.length - kEnd + Math.max(0, word) : series.name.length;
        const name = element("span", { class: "name" }, element("span", {}, series.name.slice(0, end)), element("span", {}, series.name.slice(end)));
        out.append(name, value, element("span", { class: "unit" }, series.unit));
        out.addEventListener("click", () => {
            if (!this.hidden.delete(series)) this.hidden.add(series);
            out.setAttribute("aria-pressed", String(!this.hidden.has(series)));
            this.redraw();
        });
        return out;
    }

    private color(series: Series): string {
        const colors = this.isDark ? kDark : kLight;
        return colors[(this.colors.get(series) ?? 0) % colors.length];
    }

    private xOf(time: number, width: number): number {
        const { left, right } = this.margins;
        const s = this.player.duration > 0 ? (time - this.player.begin) / this.player.duration : 0;
        return left + s * (width - left - right);
    }

    private scrub(event: PointerEvent): void {
        const box = this.canvas.getBoundingClientRect();
        const { left, right } = this.margins;
        const s = (event.clientX - box.left - left) / Math.max(1, box.width - left - right);
        this.player.set(this.player.begin + s * this.player.duration);
    }

    // The range of what is shown. A limit widens it only if a curve comes near.
    private range(list: Series[]): [number, number] {
        let low = Infinity;
        let high = -Infinity;
        for (const series of list) {
            const [least, most] = extent(series.values);
            low = Math.min(low, least);
            high = Math.max(high, most);
        }
        if (!(low <= high)) return [-1, 1];
        // What is only rounding is drawn as the straight line that it stands for.
        const least = this.least();
        if (high - low < least) [low, high] = [(low + high - least) / 2, (low + high + least) / 2];
        const span = high - low || Math.max(1e-6, Math.abs(high));
        for (const { lower, upper } of list) {
            if (upper !== undefined && upper > high && upper < high + 0.35 * span) high = upper;
            if (lower !== undefined && lower < low && lower > low - 0.35 * span) low = lower;
        }
        const room = 0.06 * (high - low || span);
        return [low - room, high + room];
    }

    // The smallest range that is worth a look: of angles a microradian, of all else a millionth of the group's largest number.
    // Residuals are all rounding.
    private least(): number {
        const list = this.series();
        if (this.group === "residual") return 0;
        const largest = Math.max(0, ...list.map((series) => Math.max(...extent(series.values).map((x) => (Number.isFinite(x) ? Math.abs(x) : 0)))));
        return 1e-6 * (list.some(({ unit }) => unit.startsWith("rad")) ? Math.max(1, largest) : largest);
    }

    private drawCurves(width: number, height: number, ratio: number): HTMLCanvasElement {
        const out = document.createElement("canvas");
        out.width = width;
        out.height = height;
        const context = out.getContext("2d")!;
        context.scale(ratio, ratio);
        const w = width / ratio;
        const h = height / ratio;
        const { left, right, top, bottom } = this.margins;
        const shown = this.series().filter((series) => !this.hidden.has(series));
        const [low, high] = this.range(shown);
        const y = (value: number) => h - bottom - ((value - low) / (high - low)) * (h - top - bottom);

        context.font = "11px system-ui, sans-serif";
        context.lineWidth = 1;
        const line = this.isDark ? "rgba(200,214,235,0.13)" : "rgba(30,50,80,0.10)";
        context.fillStyle = this.isDark ? "#9aa7ba" : "#5b6675";
        context.textBaseline = "middle";
        context.textAlign = "right";
        for (const tick of ticks(low, high, Math.max(2, Math.floor(h / 34)))) {
            context.strokeStyle = line;
            segment(context, left, y(tick), w - right, y(tick));
            context.fillText(shortNumber(tick), left - 8, y(tick));
        }
        context.textAlign = "center";
        context.textBaseline = "alphabetic";
        const { begin, end } = this.player;
        if (end > begin) {
            for (const tick of ticks(begin, end, Math.max(2, Math.floor(w / 90)))) {
                context.strokeStyle = line;
                segment(context, this.xOf(tick, w), top, this.xOf(tick, w), h - bottom);
                context.fillText(`${shortNumber(tick)} s`, this.xOf(tick, w), h - 6);
            }
        }
        context.save();
        context.beginPath();
        context.rect(left, top - 2, w - left - right, h - top - bottom + 4);
        context.clip();
        for (const series of shown) {
            context.strokeStyle = this.color(series);
            context.lineWidth = 1;
            context.globalAlpha = 0.5;
            context.setLineDash([4, 4]);
            for (const limit of [series.lower, series.upper]) {
                if (limit !== undefined) segment(context, left, y(limit), w - right, y(limit));
            }
            context.setLineDash([]);
            context.globalAlpha = 1;
            context.lineWidth = 1.6;
            this.strokeSeries(context, series, (time) => this.xOf(time, w), y, w);
        }
        context.restore();
        return out;
    }

    // Where many instants fall on one pixel, the least and the greatest of them are drawn.
    private strokeSeries(context: CanvasRenderingContext2D, series: Series, x: (time: number) => number, y: (value: number) => number, width: number): void {
        const { times } = this.motion;
        const count = times.length;
        context.beginPath();
        const step = Math.max(1, Math.floor(count / (2 * width)));
        for (let k = 0; k < count; k += step) {
            let least = k;
            let most = k;
            for (let i = k + 1; i < Math.min(k + step, count); ++i) {
                if (series.values[i] < series.values[least]) least = i;
                if (series.values[i] > series.values[most]) most = i;
            }
            for (const i of least < most ? [least, most] : [most, least]) context.lineTo(x(times[i]), y(series.values[i]));
        }
        context.stroke();
    }
}

// The least and the greatest of the numbers that are finite; found once.
const kExtents = new WeakMap<Float32Array, [number, number]>();
function extent(values: Float32Array): [number, number] {
    let found = kExtents.get(values);
    if (found) return found;
    let low = Infinity;
    let high = -Infinity;
    for (let k = 0; k < values.length; ++k) {
        const x = values[k];
        if (x < low && x !== -Infinity) low = x;
        if (x > high && x !== Infinity) high = x;
    }
    found = [low, high];
    kExtents.set(values, found);
    return found;
}

function segment(context: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
    context.beginPath();
    context.moveTo(x0, y0);
    context.lineTo(x1, y1);
    context.stroke();
}

// Round numbers within a range: some `count` of them.
export function ticks(low: number, high: number, count: number): number[] {
    const rough = (high - low) / count;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((k) => k * power).find((size) => size >= rough) ?? 10 * power;
    const out: number[] = [];
    for (let x = Math.ceil(low / step) * step; x <= high + 1e-9 * step; x += step) out.push(Math.abs(x) < 1e-9 * step ? 0 : x);
    return out;
}
