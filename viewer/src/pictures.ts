// Vectors and matrices as pictures: bars, and squares of colour.
import { element, shortNumber } from "./dom";

export type Matrix = number[][];

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

// A matrix as squares: blue below zero, orange above; numbers where there is room.
export function heat(matrix: Matrix, names: string[]): HTMLElement {
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
