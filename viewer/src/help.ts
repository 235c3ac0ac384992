// What the page answers to: a dialog with its keys.
import { element } from "./dom";

export function helpDialog(title: string, says: string, keys: [string, string][]): HTMLDialogElement {
    const list = element("dl");
    for (const [key, what] of keys) list.append(element("dt", {}, element("kbd", {}, key)), element("dd", {}, what));
    const close = element("button", { type: "button", class: "close" }, "Close");
    const out = element("dialog", { class: "help" }, element("h2", {}, title), element("p", {}, says), list, close);
    close.addEventListener("click", () => out.close());
    out.addEventListener("click", (event) => {
        if (event.target === out) out.close();
    });
    return out;
}
