// Builds the page: bundles the modules, puts script and style into one HTML file, and writes it as a C++ source too.
//
//     node build.mjs FOLDER [WASM]      makes FOLDER/viewer.html and FOLDER/built_page.cpp
//
// With WASM, the folder that scripts/wasm filled, there is a second page, FOLDER/play.html, with the library in it.
// Where the packages cannot be had (no network), built_page.cpp holds the reason instead of a page, and the build of
// everything else goes on.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [, , folder, wasm] = process.argv;
if (!folder) {
    console.error("usage: node build.mjs FOLDER [WASM]");
    process.exit(2);
}

// The packages of package-lock.json, if they are not there already.
function installPackages() {
    const mark = join(here, "node_modules", ".package-lock.json"); // npm writes it last
    if (existsSync(mark) && statSync(mark).mtimeMs >= statSync(join(here, "package-lock.json")).mtimeMs) return;
    execFileSync(process.env.NPM || "npm", ["ci", "--no-fund", "--no-audit", "--loglevel=error"], {
        cwd: here,
        stdio: ["ignore", "ignore", "pipe"],
        timeout: 180_000,
    });
}

async function bundle(main, more = "") {
    const esbuild = await import("esbuild");
    const build = async (entry) => {
        const result = await esbuild.build({
            entryPoints: [join(here, "src", entry)],
            bundle: true,
            minify: true,
            write: false,
            format: "iife",
            target: ["chrome100", "firefox100", "safari15"],
            legalComments: "eof", // three.js asks for its notice to be kept
            charset: "ascii",
            alias: wasm ? { "plucker-wasm": join(wasm, "plucker.mjs") } : {},
            define: { "import.meta.url": '"file:///"' }, // the library comes with the page, from no address
            logLevel: "error",
        });
        return result.outputFiles[0].text;
    };
    // In a script element "</script" would end it, wherever it stands, and "<!--" changes how its end is found.
    const script = (await build(main)).replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
    const style = await build("style.css");
    return pageOf(script, style, more);
}

// Scripts run by their hash alone: whatever a file's names might hold, nothing else can run.
function pageOf(script, style, more) {
    const hash = createHash("sha256").update(script).digest("base64");
    const put = { script, style, hash, more };
    return readFileSync(join(here, "src", "page.html"), "utf8").replace(/\{\{(\w+)\}\}/g, (_, name) => put[name]);
}

// As raw string literals: compilers limit the length of one, not how many stand side by side.
function asSource(page, play, reason) {
    const quoted = (text) => {
        const pieces = [];
        for (let at = 0; at < text.length; at += 8000) {
            pieces.push(`R"plucker(${text.slice(at, at + 8000)})plucker"`);
        }
        return pieces.join("\n") || '""';
    };
    return `#include "built_page.hpp"

namespace plucker::view {

std::string_view built_page() {
    static const char kPage[] = ${quoted(page)};
    return {kPage, sizeof kPage - 1};
}
std::string_view built_play_page() {
    static const char kPage[] = ${quoted(play)};
    return {kPage, sizeof kPage - 1};
}
std::string_view why_no_page() { return ${quoted(reason)}; }

}  // namespace plucker::view
`;
}

function firstLines(error) {
    const said = String(error.stderr || error.message || error).trim();
    return said.split("\n").slice(0, 3).join("; ").slice(0, 400);
}

// The library, as text: an element that is no script.
function wasmElement() {
    return `<script type="text/plain" id="wasm">${readFileSync(join(wasm, "plucker.wasm")).toString("base64")}</script>`;
}

let page = "";
let play = "";
let reason = "";
try {
    installPackages();
} catch (error) {
    reason = `its packages could not be fetched (${firstLines(error)})`;
    console.error(`The viewer is not built: ${reason}. Everything else is; plucker view will say so.`);
}
if (!reason) page = await bundle("main.ts");
if (!reason && wasm) play = await bundle("live.ts", wasmElement());
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "built_page.cpp"), asSource(page, play, reason));
for (const [name, text] of [["viewer.html", page], ["play.html", play]]) {
    if (text) writeFileSync(join(folder, name), text);
    else rmSync(join(folder, name), { force: true });
}
