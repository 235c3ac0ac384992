// Elements in a line of code. Texts become text nodes: what they hold is never read as HTML.
export type Child = Node | string;

export function element<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Record<string, string> = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const out = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) out.setAttribute(name, value);
    out.append(...children);
    return out;
}

// An icon of one path, in a square of 24.
export function icon(path: string): SVGElement {
    const space = "http://www.w3.org/2000/svg";
    const out = document.createElementNS(space, "svg");
    out.setAttribute("viewBox", "0 0 24 24");
    out.setAttribute("aria-hidden", "true");
    const line = document.createElementNS(space, "path");
    line.setAttribute("d", path);
    out.append(line);
    return out;
}

export const kIcons = {
    play: "M7 4.5v15l12.5-7.5z",
    pause: "M6.5 4.5h4v15h-4zM13.5 4.5h4v15h-4z",
    back: "M18 5v14L8.5 12zM5 5h2.5v14H5z",
    forward: "M6 5v14l9.500-7zM16.500 5H19v14h-2.500z",
    panel: "M3 5h18v2.200H3zM3 10.900h18v2.200H3zM3 16.800h18V19H3z",
    theme: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2.200v13.600a6.800 6.800 0 0 1 0-13.600z",
    help: "M12 2.500a9.500 9.500 0 1 0 0 19 9.500 9.500 0 0 0 0-19zm0 2a7.500 7.500 0 1 1 0 15 7.500 7.500 0 0 1 0-15zm-.1 2.600c-2 0-3.400 1.200-3.500 3h2c.1-.8.600-1.300 1.400-1.300.8 0 1.400.5 1.400 1.200s-.3 1-1.100 1.500c-1 .6-1.400 1.200-1.300 2.400v.300h1.900v-.3c0-.7.3-1 1.100-1.500 1-.6 1.500-1.400 1.500-2.500 0-1.700-1.400-2.800-3.400-2.800zM11.800 15a1.150 1.150 0 1 0 0 2.300 1.150 1.150 0 0 0 0-2.300z",
    download: "M11 3h2v9l3.300-3.300 1.400 1.400L12 15.800l-5.700-5.700 1.400-1.400L11 12zM4 18.500h16v2H4z",
    chart: "M4 4h2v14h14v2H4zM8 14l3.500-4.500 3 2.500L19 6l1.500 1.200-5.600 7.300-3-2.500-2.300 3z",
};

export function button(name: string, path: string, act: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
    const out = element("button", { type: "button", title: name, "aria-label": name, ...attributes }, icon(path));
    out.addEventListener("click", act);
    return out;
}

// A number for people: four digits.
export function shortNumber(x: number): string {
    if (!Number.isFinite(x)) return String(x);
    const size = Math.abs(x);
    if (size !== 0 && (size < 1e-3 || size >= 1e5)) return x.toExponential(2);
    return String(Number(x.toPrecision(4)));
}

// What a robot is made of, in a line.
export function factsOf({ mass, bodies, nv }: { mass: number; bodies: readonly unknown[]; nv: number }): string {
    const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;
    return [`${shortNumber(mass)} kg`, count(bodies.length - 1, "body", "bodies"), count(nv, "freedom", "freedoms")].join(" · "); // the first body is the world
}
