// A picture of a page: node shot.mjs PAGE.html OUTPUT.png [WIDTH HEIGHT] [--dark] [--fine] [--do EXPRESSION]…
import { writeFileSync } from "node:fs";
import { Browser } from "./browser.mjs";

const [page, output, ...rest] = process.argv.slice(2);
const sizes = rest.filter((word) => /^\d+$/.test(word)).map(Number);
const acts = rest.flatMap((word, k) => (word === "--do" ? [rest[k + 1]] : []));
const browser = await Browser.start();
try {
    const tab = await browser.open(page, { width: sizes[0] ?? 1280, height: sizes[1] ?? 800, dark: rest.includes("--dark"), fine: rest.includes("--fine") });
    for (const act of acts) await tab.evaluate(act);
    writeFileSync(output, await tab.picture());
    console.log(`${output}: opened in ${tab.openedIn.toFixed(0)} ms, a frame takes ${(await tab.evaluate("plucker.viewer.stage.frameMilliseconds")).toFixed(1)} ms`);
    for (const complaint of tab.complaints) console.log(`console: ${complaint}`);
} finally {
    await browser.stop();
}
