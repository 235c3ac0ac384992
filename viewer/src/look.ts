// From where the robot is looked at: buttons and keys.
import { element } from "./dom";
import type { Side } from "./stage";
import type { Viewer } from "./viewer";

const kViews: [Side, string, string][] = [["corner", "Home", "0"], ["front", "Front", "1"], ["side", "Side", "2"], ["top", "Top", "3"]];
export const kLookKeys: [string, string][] = [
    ["0 1 2 3", "home, front, side, top"],
    ["f", "follow the robot"],
];

export class LookChips {
    readonly root = element("div", { class: "chips" });
    private readonly followChip: HTMLButtonElement;

    constructor(private readonly viewer: Viewer) {
        for (const [side, name, key] of kViews) {
            const chip = element("button", { type: "button", title: `Look from there (${key})` }, name);
            chip.addEventListener("click", () => viewer.look(side));
            this.root.append(chip);
        }
        this.followChip = element("button", { type: "button", "aria-pressed": String(viewer.following), title: "The camera goes along (f)" }, "Follow");
        this.followChip.addEventListener("click", () => this.follow());
        this.root.append(this.followChip);
    }

    // What the key asks for, if it is one of these.
    press(key: string): boolean {
        const view = kViews.find(([, , own]) => own === key);
        if (view) this.viewer.look(view[0]);
        else if (key === "f") this.follow();
        else return false;
        return true;
    }

    private follow(): void {
        this.viewer.follow(!this.viewer.following);
        this.followChip.setAttribute("aria-pressed", String(this.viewer.following));
    }
}
