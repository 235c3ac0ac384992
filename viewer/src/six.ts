// Six-vectors: as columns of numbers, and as arrows. Angular part first.
import * as three from "three";
import { Arrows } from "./arrows";
import { element } from "./dom";
import { formula } from "./formula";

export const kAngularColor = 0x7048e8;

function short(x: number): string {
    if (Math.abs(x) < 5e-4) return "0";
    return Math.abs(x) < 100 ? x.toFixed(2) : x.toFixed(0);
}

// A matrix of six rows between brackets, with its symbol above; the angular rows are tinted.
export function block(symbol: string, rows: readonly (readonly number[])[], strong = false): HTMLElement {
    const table = element("table", { class: "block" });
    rows.forEach((row, i) => {
        const line = element("tr", { class: i < 3 && rows.length === 6 ? "angular" : "linear" });
        for (const x of row) line.append(element("td", { class: short(x) === "0" ? "zero" : "" }, short(x)));
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

    // In the world; lengths in metres of the picture. Returns where the longer of the two ends.
    add(at: three.Vector3, angular: three.Vector3, linear: three.Vector3, color: three.Color): three.Vector3 {
        if (linear.length() > 1e-9) this.arrows.add(at, linear, color);
        if (angular.length() > 1e-9) {
            this.arrows.add(at, angular, this.angular);
            this.ring(at, angular);
        }
        return at.clone().add(angular.length() > linear.length() ? angular : linear);
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
