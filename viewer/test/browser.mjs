// A real browser, driven over the DevTools protocol through a pipe: messages of JSON, each ended by a zero byte.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export class Browser {
    // `size`: of the window, in pixels.
    static async start(size = [1280, 800]) {
        const browser = new Browser();
        browser.profile = mkdtempSync(join(tmpdir(), "plucker-browser-"));
        browser.process = spawn(
            process.env.CHROMIUM || "chromium",
            [
                "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--hide-scrollbars", "--mute-audio", "--no-first-run",
                "--disable-extensions", "--disable-background-networking", "--disable-dev-shm-usage",
                // Without a graphics card: drawn by the processor.
                "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
                `--user-data-dir=${browser.profile}`, `--window-size=${size.join(",")}`, "about:blank",
            ],
            { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
        );
        browser.ended = new Promise((resolve) => browser.process.on("exit", resolve));
        browser.process.on("error", (error) => browser.fail(new Error(`Chromium cannot be started: ${error.message}`)));
        browser.ended.then((code) => browser.fail(new Error(`Chromium ended with code ${code}`)));
        browser.listen(browser.process.stdio[4]);
        return browser;
    }

    waiting = new Map();
    listeners = [];
    last = 0;

    fail(error) {
        for (const { reject } of this.waiting.values()) reject(error);
        this.waiting.clear();
    }

    listen(stream) {
        let rest = Buffer.alloc(0);
        stream.on("data", (chunk) => {
            rest = Buffer.concat([rest, chunk]);
            for (let end; (end = rest.indexOf(0)) >= 0; rest = rest.subarray(end + 1)) this.receive(JSON.parse(rest.subarray(0, end).toString()));
        });
    }

    receive(message) {
        const waits = this.waiting.get(message.id);
        if (!waits) {
            for (const listener of this.listeners) listener(message);
            return;
        }
        this.waiting.delete(message.id);
        if (message.error) waits.reject(new Error(message.error.message));
        else waits.resolve(message.result);
    }

    send(method, params = {}, sessionId = undefined) {
        const id = ++this.last;
        return new Promise((resolve, reject) => {
            this.waiting.set(id, { resolve, reject });
            this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
        });
    }

    // Opens a file, and waits until it says that it is ready.
    async open(path, { width = 1280, height = 800, scale = 1, dark = false, fine = false, ready = "window.plucker" } = {}) {
        const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
        const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
        const page = new Tab(this, targetId, sessionId);
        this.listeners.push((message) => page.hear(message));
        for (const domain of ["Page", "Runtime", "Log", "Network"]) await page.send(`${domain}.enable`);
        await page.send("Network.emulateNetworkConditions", { offline: true, latency: 0, downloadThroughput: 0, uploadThroughput: 0 });
        await page.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: scale, mobile: width < 600 });
        await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
        const begin = performance.now();
        await page.send("Page.navigate", { url: pathToFileURL(path).href + (fine ? "#fine" : "") });
        await page.until(ready, fine ? 200 : 40);
        page.openedIn = performance.now() - begin;
        return page;
    }

    async stop() {
        await this.send("Browser.close").catch(() => {});
        await this.ended;
        rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
    }
}

export class Tab {
    complaints = []; // what the console or the browser said
    requests = []; // addresses that were asked for

    constructor(browser, targetId, sessionId) {
        Object.assign(this, { browser, targetId, sessionId });
    }

    send(method, params = {}) {
        return this.browser.send(method, params, this.sessionId);
    }

    hear({ sessionId, method, params }) {
        if (sessionId !== this.sessionId) return;
        if (method === "Runtime.exceptionThrown") this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
        if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type)) {
            this.complaints.push(params.args.map((x) => x.value ?? x.description).join(" "));
        }
        if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level)) this.complaints.push(params.entry.text);
        if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
    }

    async evaluate(expression) {
        const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
        if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
        return result.value;
    }

    async until(expression, seconds = 40) {
        const end = performance.now() + 1000 * seconds;
        while (!(await this.evaluate(`Boolean(${expression})`))) {
            if (performance.now() > end) throw new Error(`still not true after ${seconds} s: ${expression}; the console says: ${this.complaints.join("; ") || "nothing"}`);
            await new Promise((resolve) => setTimeout(resolve, 30));
        }
    }

    // After the next frames, so that what was asked for has been drawn.
    async drawn() {
        await this.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))");
    }

    async picture() {
        await this.drawn();
        const { data } = await this.send("Page.captureScreenshot", { format: "png" });
        return Buffer.from(data, "base64");
    }

    async key(key, code = key) {
        const text = key.length === 1 ? key : undefined;
        await this.send("Input.dispatchKeyEvent", { type: "keyDown", key, code, text });
        await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, code });
    }

    async mouse(type, x, y, more = {}) {
        await this.send("Input.dispatchMouseEvent", { type, x, y, ...more });
    }

    async click(x, y) {
        await this.mouse("mousePressed", x, y, { button: "left", buttons: 1, clickCount: 1 });
        await this.mouse("mouseReleased", x, y, { button: "left", buttons: 0, clickCount: 1 });
    }

    // Seconds that the page's process has computed so far, on all its threads.
    async processorSeconds() {
        await this.send("Performance.enable");
        const { metrics } = await this.send("Performance.getMetrics");
        return metrics.find(({ name }) => name === "ProcessTime").value;
    }

    async close() {
        await this.browser.send("Target.closeTarget", { targetId: this.targetId });
    }
}
