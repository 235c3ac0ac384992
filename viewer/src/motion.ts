// What a robot did, at any time: between two instants poses are interpolated.
import type { Forces, MotionData } from "./data";

const kNumbersOfAPose = 7;

// The number of the last instant that is not after the time; 0 before the first.
export function lastNotAfter(times: Float64Array, time: number): number {
    let low = 0;
    let high = times.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (times[middle] <= time) low = middle;
        else high = middle - 1;
    }
    return low;
}

export class Motion {
    readonly poses: Float32Array; // of the bodies, at the time that was asked for last
    readonly center = new Float32Array(3);
    index = 0; // of the instant at or before that time

    constructor(readonly data: MotionData, readonly bodies: number) {
        this.poses = new Float32Array(kNumbersOfAPose * bodies);
        this.at(this.begin);
    }

    get begin(): number {
        return this.data.times[0];
    }
    get end(): number {
        return this.data.times[this.data.times.length - 1];
    }
    get instants(): number {
        return this.data.times.length;
    }

    indexAt(time: number): number {
        return lastNotAfter(this.data.times, time);
    }

    at(time: number): void {
        const { times, poses, center } = this.data;
        const k = this.indexAt(time);
        const next = Math.min(k + 1, times.length - 1);
        const span = times[next] - times[k];
        const s = span > 0 ? Math.min(1, Math.max(0, (time - times[k]) / span)) : 0;
        this.index = k;
        const stride = kNumbersOfAPose * this.bodies;
        for (let i = 0; i < stride; i += kNumbersOfAPose) mixPoses(this.poses, i, poses, k * stride + i, next * stride + i, s);
        for (let i = 0; i < 3; ++i) this.center[i] = (1 - s) * center[3 * k + i] + s * center[3 * next + i];
    }
}

// What is known of a robot that moves now.
export interface LiveFrame {
    poses: ArrayLike<number>;
    center: ArrayLike<number>;
    centerVelocity?: Float32Array;
    contacts?: Forces; // of one instant
}

// A motion that somebody makes: the poses are given, whatever the time.
export class LiveMotion extends Motion {
    private isLive = false;

    put({ poses, center, centerVelocity, contacts }: LiveFrame): void {
        this.isLive = true;
        this.index = 0;
        this.poses.set(poses);
        this.center.set(center);
        this.data.center_velocity = centerVelocity;
        this.data.contacts = contacts ?? kNoForces;
    }
    override at(time: number): void {
        if (!this.isLive) super.at(time);
    }
}

const kNoForces: Forces = { starts: new Uint32Array(2), links: new Uint32Array(), modes: new Uint32Array(), numbers: new Float32Array() };

// Positions by a straight line; attitudes too, and then made of unit length, which for neighbouring instants is as good as
// the arc between them. A quaternion and its negative are one attitude: the nearer one is taken.
function mixPoses(out: Float32Array, at: number, from: Float32Array, a: number, b: number, s: number): void {
    for (let k = 0; k < 3; ++k) out[at + k] = (1 - s) * from[a + k] + s * from[b + k];
    let dot = 0;
    for (let k = 3; k < 7; ++k) dot += from[a + k] * from[b + k];
    const sign = dot < 0 ? -s : s;
    let norm = 0;
    for (let k = 3; k < 7; ++k) {
        const x = (1 - s) * from[a + k] + sign * from[b + k];
        out[at + k] = x;
        norm += x * x;
    }
    const scale = 1 / Math.sqrt(norm);
    for (let k = 3; k < 7; ++k) out[at + k] *= scale;
}

// Calls f with the number of each force that acted at an instant.
export function eachForce(forces: Forces, instant: number, f: (entry: number) => void): void {
    for (let k = forces.starts[instant]; k < forces.starts[instant + 1]; ++k) f(k);
}
