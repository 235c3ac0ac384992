// What may be drawn besides the robot itself, and the buttons that switch it.
import { element } from "./dom";
import { kModeColors } from "./overlays";
import type { Layer, Viewer } from "./viewer";

export const kLayers: Record<Layer, { name: string; key: string; says: string }> = {
    visual: { name: "Shapes", key: "v", says: "The robot as it looks" },
    collision: { name: "Collision", key: "c", says: "The shapes that touch" },
    frames: { name: "Frames", key: "r", says: "Axes of links and frames: x red, y green, z blue" },
    axes: { name: "Joint axes", key: "a", says: "About what, or along what, each joint moves" },
    inertia: { name: "Inertia", key: "i", says: "Ellipsoids of even density with the mass and inertia of each body" },
    center: { name: "Centre of mass", key: "m", says: "With its place on the ground, and the capture point (violet)" },
    support: { name: "Support", key: "s", says: "The polygon of what carries, and the zero-moment point (red)" },
    contacts: { name: "Contact forces", key: "o", says: "Green: sticks. Orange: slides. Grey: open" },
    cones: { name: "Friction cones", key: "n", says: "A force within its cone sticks" },
    pushes: { name: "Pushes", key: "p", says: "Forces from outside" },
    trail: { name: "Trail", key: "t", says: "Where the selected link, or the centre of mass, has been" },
    ghosts: { name: "Ghosts", key: "g", says: "The other recordings" },
    apart: { name: "Side by side", key: "b", says: "Ghosts beside the robot, not over it" },
};

export class LayerChips {
    readonly root = element("div", { class: "chips" });
    private readonly chips = new Map<Layer, HTMLButtonElement>();

    constructor(private readonly viewer: Viewer) {
        for (const layer of viewer.layers()) {
            const { name, key, says } = kLayers[layer];
            const chip = element("button", { type: "button", title: `${says} (${key})`, "data-layer": layer }, name);
            chip.addEventListener("click", () => this.toggle(layer));
            this.chips.set(layer, chip);
            this.root.append(chip);
        }
        this.update();
    }

    toggle(layer: Layer): void {
        this.viewer.toggle(layer);
        this.update();
    }

    private update(): void {
        for (const [layer, chip] of this.chips) chip.setAttribute("aria-pressed", String(this.viewer.shown.has(layer)));
    }
}

// What the colours of contact forces mean.
export function modeLegend(): HTMLElement {
    const out = element("p", { class: "modes" });
    ["open", "stick", "slide"].forEach((name, k) => {
        const swatch = element("i");
        swatch.style.background = `#${kModeColors[k].toString(16).padStart(6, "0")}`;
        out.append(swatch, name);
    });
    return out;
}
