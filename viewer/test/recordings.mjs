// Recordings to look at: the built-in dog trots, by geometry alone, with the forces that carry it.
import { writeFileSync } from "node:fs";

const kThigh = 0.2;
const kShank = 0.21;
const kWeight = 14 * 9.81;
const kHeight = 0.33;
const kStep = 0.6; // seconds, a step of each pair of legs

// The angles of hip and knee that put the foot there, seen from the hip.
function leg(x, z) {
    const d2 = Math.min(x * x + z * z, (kThigh + kShank - 1e-3) ** 2);
    const knee = -Math.acos((d2 - kThigh ** 2 - kShank ** 2) / (2 * kThigh * kShank));
    const hip = Math.atan2(-x, -z) - Math.atan2(kShank * Math.sin(knee), kThigh + kShank * Math.cos(knee));
    return [hip, knee];
}

const kLegs = [
    { link: "front_left_shank", x: 0.19, y: 0.13, phase: 0 },
    { link: "front_right_shank", x: 0.19, y: -0.13, phase: 0.5 },
    { link: "hind_left_shank", x: -0.19, y: 0.13, phase: 0.5 },
    { link: "hind_right_shank", x: -0.19, y: -0.13, phase: 0 },
];

export function trot({ seconds = 4, rate = 100, speed = 0.4, model = "builtin:quadruped", ground = true, world } = {}) {
    const header = { plucker: "recording", model, step: 1 / rate, world };
    if (ground) header.ground = { friction: 0.7, torsional: 0, restitution: 0 };
    const lines = [JSON.stringify(header)];
    for (let k = 0; k <= seconds * rate; ++k) {
        const time = k / rate;
        const base = [speed * time, 0, kHeight + 0.006 * Math.sin((4 * Math.PI * time) / kStep)];
        const joints = [];
        const contacts = [];
        for (const { link, x, y, phase } of kLegs) {
            const s = (time / kStep + phase) % 1;
            const stands = s < 0.5;
            const stride = speed * kStep * 0.5;
            const along = stands ? stride * (0.5 - 2 * s) : stride * (2 * (s - 0.5) - 0.5);
            const lift = stands ? 0 : 0.07 * Math.sin(2 * Math.PI * (s - 0.5));
            joints.push(0, ...leg(along, lift - base[2]));
            if (!stands) continue;
            const slides = s > 0.44;
            const normal = 0.5 * kWeight * (1 + 0.4 * Math.sin(2 * Math.PI * s));
            const force = [(slides ? 0.7 : 0.35 * Math.cos(2 * Math.PI * s)) * normal, 0, normal];
            contacts.push({ link, position: [base[0] + x + along, y, 0], normal: [0, 0, 1], force, mode: slides ? "slide" : "stick" });
        }
        const v = [0, 0, 0, speed, 0, 0, ...joints.map(() => 0)];
        const instant = { time, q: [...base, 0, 0, 0, 1, ...joints], v, contacts, residual: 1e-12 * (1 + (k % 7)) };
        if (time > 1 && time < 1.5) instant.pushes = [{ link: "trunk", position: [base[0], -0.1, kHeight], force: [0, 60, -20] }];
        lines.push(JSON.stringify(instant));
    }
    return `${lines.join("\n")}\n`;
}

if (process.argv[1]?.endsWith("recordings.mjs")) {
    const [, , path, seconds = "4", speed = "0.4"] = process.argv;
    writeFileSync(path, trot({ seconds: Number(seconds), speed: Number(speed) }));
}
