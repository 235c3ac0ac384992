// Vectors and matrices as pictures: bars, and squares of colour.
import { element, shortNumber } from "./dom";

export type Matrix = number[][];

const kBelow = "#2f8fdd";
const kAbove = "#f2793a";

export function bars(values: number[], names: string[], unit: (k: number) => string): HTMLElement {
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

// A matrix as squares: blue below zero, orange above, with its numbers where there is room. Beside it, what the colours mean
// and the entry under the pointer, which goes on as the numbers change.
export class Heat {
    readonly root: HTMLElement;
    private readonly cells: HTMLElement[][];
    private readonly side = element("div", { class: "heat-side" });
    private matrix: Matrix = [];
    private pointed?: [number, number];

    constructor(private readonly rows: string[], private readonly columns: string[], private readonly unit = "") {
        const isTight = columns.length > 12;
        const isCrowded = rows.length > 14; // too many for names beside them
        this.cells = rows.map((_, i) => columns.map((_, k) => {
            const cell = element("td");
            cell.addEventListener("pointerenter", () => {
                this.pointed = [i, k];
                this.read();
            });
            return cell;
        }));
        const lines = rows.map((name, i) => element("tr", {}, ...(isCrowded ? [] : [element("th", {}, name)]), ...this.cells[i]));
        const table = element("table", { class: isTight ? "heat tight" : "heat" }, ...lines);
        table.style.setProperty("--rows", String(rows.length));
        table.style.setProperty("--columns", String(columns.length));
        this.root = element("div", { class: "heat-box" }, table, this.side);
    }

    show(matrix: Matrix): HTMLElement {
        this.matrix = matrix;
        const most = this.most();
        const isTight = this.columns.length > 12;
        this.cells.forEach((line, i) => line.forEach((cell, k) => {
            const x = matrix[i][k];
            const part = most > 0 ? Math.sqrt(Math.abs(x) / most) : 0;
            cell.style.background = `color-mix(in srgb, ${x < 0 ? kBelow : kAbove} ${(85 * part).toFixed(1)}%, var(--fill))`;
            if (!isTight) cell.textContent = shortNumber(x);
        }));
        this.read();
        return this.root;
    }

    private most(): number {
        return Math.max(0, ...this.matrix.flat().map(Math.abs));
    }

    private read(): void {
        const most = this.most();
        const scale = element("div", { class: "scale" }, element("i"), element("span", {}, `−${shortNumber(most)}`), element("span", {}, "0"), element("span", {}, `${shortNumber(most)} ${this.unit}`));
        const said = element("p", { class: "entry" });
        if (this.pointed) {
            const [i, k] = this.pointed;
            said.append(element("b", {}, `${shortNumber(this.matrix[i][k])} ${this.unit}`), element("br"), `${this.rows[i]}, ${this.columns[k]}`);
        } else {
            said.append("Point at an entry to read it.");
        }
        this.side.replaceChildren(...(most > 0 ? [scale] : []), said);
    }
}
