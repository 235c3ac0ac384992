// Firefox, driven by its own protocol, Marionette: messages of JSON over a socket, each with its length before it.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const kName = process.env.FIREFOX || "firefox-esr";
// A port that the system chooses; no network; drawn by the processor where there is no graphics card.
const kSettings = {
    "marionette.port": 0,
    "webgl.force-enabled": true,
    "network.proxy.type": 1,
    "network.proxy.socks": "127.0.0.1",
    "network.proxy.socks_port": 9,
    "browser.shell.checkDefaultBrowser": false,
    "datareporting.policy.dataSubmissionEnabled": false,
    "toolkit.telemetry.reportingpolicy.firstRun": false,
    "app.update.enabled": false,
};

export class Firefox {
    waiting = new Map();
    last = 0;

    // Why it cannot be started here, or false.
    static isMissing() {
        for (const name of [kName, "Xvfb"]) {
            if (spawnSync("sh", ["-c", 'command -v "$0"', name]).status !== 0) return `${name} is not installed`;
        }
        return false;
    }

    static async start([width, height] = [1280, 800]) {
        const firefox = new Firefox();
        firefox.profile = mkdtempSync(join(tmpdir(), "plucker-firefox-"));
        const settings = Object.entries(kSettings).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`);
        writeFileSync(join(firefox.profile, "user.js"), `${settings.join("\n")}\n`);
        await firefox.startScreen();
        const environment = { ...process.env, DISPLAY: `:${firefox.display}` };
        delete environment.WAYLAND_DISPLAY;
        firefox.process = spawn(kName, ["--no-remote", "--marionette", "--profile", firefox.profile, "--width", String(width), "--height", String(height)], { stdio: "ignore", env: environment });
        firefox.ended = new Promise((resolve) => firefox.process.on("exit", resolve));
        firefox.ended.then((code) => firefox.fail(new Error(`Firefox ended with code ${code}`)));
        await firefox.listen();
        await firefox.send("WebDriver:NewSession", { strictFileInteractability: false });
        await firefox.send("WebDriver:SetWindowRect", { width, height });
        return firefox;
    }

    // Without a screen Firefox draws nothing in three dimensions: it gets one that nobody sees.
    async startScreen() {
        this.screen = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"], { stdio: ["ignore", "ignore", "ignore", "pipe"] });
        this.display = await new Promise((resolve, reject) => {
            this.screen.on("error", (error) => reject(new Error(`Xvfb cannot be started: ${error.message}`)));
            this.screen.on("exit", (code) => reject(new Error(`Xvfb ended with code ${code}`)));
            let said = "";
            this.screen.stdio[3].on("data", (chunk) => {
                said += chunk;
                if (said.includes("\n")) resolve(said.trim());
            });
        });
    }

    fail(error) {
        for (const { reject } of this.waiting.values()) reject(error);
        this.waiting.clear();
    }

    async listen() {
        const mark = join(this.profile, "MarionetteActivePort");
        for (let k = 0; !existsSync(mark) || readFileSync(mark, "utf8") === ""; ++k) {
            if (k > 600 || this.process.exitCode !== null) throw new Error("Firefox does not start");
            await new Promise((resolve) => setTimeout(resolve, 100));
        }
        this.socket = connect(Number(readFileSync(mark, "utf8")), "127.0.0.1");
        this.socket.on("error", (error) => this.fail(error));
        let rest = Buffer.alloc(0);
        let isGreeted = false;
        await new Promise((greeted) => {
            this.socket.on("data", (chunk) => {
                rest = Buffer.concat([rest, chunk]);
                for (let colon; (colon = rest.indexOf(":")) >= 0; ) {
                    const end = colon + 1 + Number(rest.subarray(0, colon));
                    if (rest.length < end) return;
                    const message = JSON.parse(rest.subarray(colon + 1, end).toString());
                    rest = rest.subarray(end);
                    if (isGreeted) this.receive(message);
                    isGreeted = true;
                    greeted();
                }
            });
        });
    }

    receive([, id, error, result]) {
        const waits = this.waiting.get(id);
        this.waiting.delete(id);
        if (error) waits?.reject(new Error(error.message));
        else waits?.resolve(result);
    }

    send(command, parameters = {}) {
        const id = ++this.last;
        return new Promise((resolve, reject) => {
            this.waiting.set(id, { resolve, reject });
            const text = JSON.stringify([0, id, command, parameters]);
            this.socket.write(`${Buffer.byteLength(text)}:${text}`);
        });
    }

    // Opens a file, and waits until it says that it is ready.
    async open(path, ready = "window.plucker", seconds = 60) {
        const begin = performance.now();
        await this.send("WebDriver:Navigate", { url: pathToFileURL(path).href });
        await this.until(ready, seconds);
        this.openedIn = performance.now() - begin;
    }

    // The value of an expression, as the page's own scripts see it.
    async evaluate(expression) {
        const { value } = await this.send("WebDriver:ExecuteScript", { script: `return (${expression})`, args: [], newSandbox: false, sandbox: null });
        return value;
    }

    async until(expression, seconds = 40) {
        const end = performance.now() + 1000 * seconds;
        while (!(await this.evaluate(`Boolean(${expression})`))) {
            if (performance.now() > end) throw new Error(`still not true after ${seconds} s: ${expression}; the page shows: ${(await this.evaluate("document.body.innerText")).slice(0, 300)}`);
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
    }

    // After the next frames, so that what was asked for has been drawn.
    async drawn() {
        await this.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))");
    }

    // What somebody does with mouse or keyboard; keys as WebDriver writes them.
    async press(key) {
        await this.act({ type: "key", id: "keys", actions: [{ type: "keyDown", value: key }, { type: "keyUp", value: key }] });
    }
    async act(...sources) {
        await this.send("WebDriver:PerformActions", { actions: sources });
    }

    async picture() {
        const { value } = await this.send("WebDriver:TakeScreenshot", { full: false });
        return Buffer.from(value, "base64");
    }

    async stop() {
        if (this.socket) await this.send("Marionette:Quit", { flags: ["eForceQuit"] }).catch(() => {});
        else this.process.kill();
        await this.ended;
        this.screen.kill();
        rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
    }
}
