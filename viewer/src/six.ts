// Six-vectors: as columns of numbers, and as arrows. Angular part first.
import * as three from "three";
import { Arrows } from "./arrows";
import { element } from "./dom";
import { formula } from "./formula";

export const kAngularColor = 0x7048e8;

// As many digits after the point as the largest number asks for: three of it are seen.
function digitsOf(rows: readonly (readonly number[])[]): number {
    const most = Math.max(0, ...rows.flat().filter(Number.isFinite).map(Math.abs));
    if (most < 1e-12) return 0;
    return Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(most))));
}

// A matrix between brackets, with its symbol above; where it has six rows, the angular ones are tinted. NaN is left out; `now`
// is the column that this is about.
export function block(symbol: string, rows: readonly (readonly number[])[], strong = false, now = -1): HTMLElement {
    const digits = digitsOf(rows);
    const table = element("table", { class: "block" });
    rows.forEach((row, i) => {
        const line = element("tr", { class: i < 3 && rows.length === 6 ? "angular" : "linear" });
        row.forEach((x, k) => {
            const isZero = Math.abs(x) < 0.5 * 10 ** -digits;
            const shown = Number.isNaN(x) ? "" : isZero ? "0" : x.toFixed(digits);
            line.append(element("td", { class: k === now ? "now" : isZero ? "zero" : "" }, shown));
        });
        table.append(line);
    });
    return element("figure", { class: strong ? "six strong" : "six" }, element("figcaption", {}, formula(symbol)), table);
}

export function column(symbol: string, x: readonly number[], strong = false): HTMLElement {
    return block(symbol, x.map((value) => [value]), strong);
}

export function sign(text: string): HTMLElement {
    return element("span", { class: "sign" }, text);
}

// Six-vectors in the picture: at the body's origin its linear part as an arrow, and its angular part as one with a ring.
export class SixArrows {
    readonly root = new three.Group();
    private readonly arrows: Arrows;
    private readonly rings: three.Mesh[] = [];
    private readonly ringMaterial = new three.MeshStandardMaterial({ color: kAngularColor, roughness: 0.5 });
    private readonly angular = new three.Color(kAngularColor);
    private used = 0;

    constructor(private readonly size: number) {
        this.arrows = new Arrows(0.007 * size, 128);
        this.root.add(this.arrows.group);
    }

    clear(): void {
        this.arrows.clear();
        for (const ring of this.rings) ring.visible = false;
        this.used = 0;
    }

    // In the world; lengths in metres of the picture.
    add(at: three.Vector3, angular: three.Vector3, linear: three.Vector3, color: three.Color): void {
        this.arrows.add(at, linear, color);
        if (angular.length() < 1e-9) return;
        this.arrows.add(at, angular, this.angular);
        this.ring(at, angular);
    }

    private ring(at: three.Vector3, along: three.Vector3): void {
        const radius = Math.min(0.035 * this.size, 0.3 * along.length());
        let ring = this.rings[this.used++];
        if (!ring) {
            ring = new three.Mesh(new three.TorusGeometry(1, 0.1, 10, 40, 1.7 * Math.PI), this.ringMaterial);
            this.rings.push(ring);
            this.root.add(ring);
        }
        ring.visible = true;
        ring.scale.setScalar(radius);
        ring.position.copy(at).addScaledVector(along, 0.55);
        ring.quaternion.setFromUnitVectors(new three.Vector3(0, 0, 1), along.clone().normalize());
    }
}
