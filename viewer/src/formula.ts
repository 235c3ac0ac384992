// Formulas in a line of text: v_i = ^{i}X_{λ} v_{λ}. What follows _ or ^ stands lower or higher, in braces if it is long.
import { element } from "./dom";

export function formula(text: string): HTMLElement {
    const out = element("span", { class: "formula" });
    for (const [, mark, braced, single, plain] of text.matchAll(/([_^])(?:\{([^}]*)\}|(.))|([^_^]+)/gu)) {
        if (mark) out.append(element(mark === "_" ? "sub" : "sup", {}, braced ?? single));
        else out.append(plain);
    }
    return out;
}
