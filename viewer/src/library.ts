// The library itself, in the page: compiled to WebAssembly, called with texts and arrays.
import createPlucker from "plucker-wasm";
import { bytesOf, pageOf, type Forces, type Page } from "./data";
import type { LiveFrame } from "./motion";

interface Module {
    HEAPF32: Float32Array;
    HEAPF64: Float64Array;
    _malloc(bytes: number): number;
    _free(at: number): void;
    _plucker_call(request: number): number;
    _plucker_poses(along: number, q: number, poses: number, center: number): number;
    _plucker_mesh(uri: number, points: number, count: number): void;
    _plucker_advance(steps: number): number;
    _plucker_pull(body: number, numbers: number): number;
    _plucker_aim(along: number): number;
    _plucker_numbers(): number;
    stringToUTF8(text: string, at: number, bytes: number): void;
    lengthBytesUTF8(text: string): number;
    UTF8ToString(at: number): string;
}

export interface Finding {
    is_error: boolean;
    is_warning: boolean;
    text: string;
}
// How a robot is to be loaded.
export interface Wishes {
    floating?: boolean;
    no_friction?: boolean;
    gravity?: number[];
}
// A way in which the robot moves: one a velocity coordinate.
export interface Coordinate {
    name: string;
    joint: string;
    turns: boolean;
    lower: number;
    upper: number;
}
export interface LoadedRobot {
    page?: Page; // absent: the robot was refused
    coordinates: Coordinate[];
    lifts: boolean; // whether it can be lifted: it stands on the ground, and may fall
    findings: Finding[];
}
export interface Posture {
    q: number[];
    poses: Float32Array;
    center: Float32Array;
}

// How a simulation begins; what is left out is as the library has it.
export interface SimulationWishes {
    q?: number[];
    v?: number[];
    time?: number;
    target?: number[];
    ground?: boolean;
    friction?: number;
    restitution?: number;
    controller?: Controller;
    on_ground?: boolean;
    height?: number;
}
export type Controller = "none" | "hold" | "gravity";
// Where a simulation is.
export interface SimulationState {
    time: number;
    kinetic: number;
    potential: number;
    residual: number;
    pull: Float64Array; // the force of the mouse, and where it acts
    q: number[];
    v: number[];
    along: number[];
    tau: number[];
    frame: LiveFrame;
}
// What the recursion of Newton and Euler computes; six-vectors are in the body's own coordinates.
export interface LessonBody {
    pose: number[]; // of the body's frame in the world
    v: number[];
    a: number[];
    name: string;
    joint: string;
    parent: number;
    first: number; // of its coordinates
    S: number[][]; // a column an axis
    X: number[][];
    I: number[][];
    // The terms of v, a, the net force, and the force across the joint.
    carried_v: number[];
    joint_v: number[];
    carried_a: number[];
    joint_a: number[];
    turning_a: number[];
    momentum_rate: number[];
    gyroscopic: number[];
    net: number[];
    carried_f: number[];
    f: number[];
}
export interface LessonAnswer {
    bodies: LessonBody[]; // the ground first, which has a pose, v and a alone
    tau: number[];
    H: number[][];
    C: number[];
}

const kNumbersBeforeVectors = 12;
const kNumbersOfAContact = 12;

export class Library {
    private constructor(private readonly module: Module) {}

    static async start(wasm: Uint8Array): Promise<Library> {
        return new Library((await createPlucker({ wasmBinary: wasm })) as Module);
    }

    names(): string[] {
        return (this.call({ do: "names" }) as { names: string[] }).names.filter((name) => !name.includes("("));
    }
    builtin(name: string, wishes: Wishes = {}): LoadedRobot {
        return this.robot({ do: "builtin", name, ...wishes });
    }
    load(text: string, file: string, wishes: Wishes = {}): LoadedRobot {
        return this.robot({ do: "load", text, file, ...wishes });
    }
    evaluate(state: object, quantities: string[], frames: string[] = []): Record<string, unknown> {
        return this.call({ do: "evaluate", state, quantities, frames }) as Record<string, unknown>;
    }

    // Where the bodies are when each coordinate is moved that far from zero.
    posture(along: number[], nq: number, bodies: number): Posture {
        const { module } = this;
        const doubles = 8 * (along.length + nq);
        const begin = module._malloc(doubles + 4 * (7 * bodies + 3));
        module.HEAPF64.set(along, begin / 8);
        const q = begin + 8 * along.length;
        const poses = begin + doubles;
        module._plucker_poses(begin, q, poses, poses + 28 * bodies);
        const out = {
            q: [...module.HEAPF64.subarray(q / 8, q / 8 + nq)],
            poses: module.HEAPF32.slice(poses / 4, poses / 4 + 7 * bodies),
            center: module.HEAPF32.slice(poses / 4 + 7 * bodies, poses / 4 + 7 * bodies + 3),
        };
        module._free(begin);
        return out;
    }

    // Gravity from now on; a simulation must begin anew.
    gravity(gravity: number[]): void {
        this.call({ do: "gravity", gravity });
    }
    // The points of a mesh, by its name in the robot's file, so that it touches.
    mesh(uri: string, points: Float32Array): void {
        const { module } = this;
        const at = module._malloc(points.byteLength);
        module.HEAPF32.set(points, at / 4);
        this.withText(uri, (name) => module._plucker_mesh(name, at, points.length / 3));
        module._free(at);
    }

    // Begins a simulation; returns what should be known of it.
    simulate(wishes: SimulationWishes): string[] {
        return (this.call({ do: "simulate", ...wishes }) as { notes: string[] }).notes;
    }
    advance(steps: number): void {
        this.check(this.module._plucker_advance(steps));
    }
    // Pulls a point of a body (in its link) to a point of the world; body 0: lets go.
    pull(body: number, point: readonly number[] = [0, 0, 0], to: readonly number[] = [0, 0, 0]): void {
        this.withNumbers([...point, ...to], (at) => this.check(this.module._plucker_pull(body, at)));
    }
    aim(along: number[]): void {
        this.withNumbers(along, (at) => this.check(this.module._plucker_aim(at)));
    }
    // Where the simulation is, for a robot of this size.
    state(nq: number, nv: number, bodies: number): SimulationState {
        const begin = this.module._plucker_numbers() / 8;
        if (begin === 0) throw new Error("there is no simulation yet");
        const heap = this.module.HEAPF64;
        let at = begin + kNumbersBeforeVectors;
        const take = (count: number) => heap.subarray(at, (at += count));
        const [time, kinetic, potential, residual, , touching] = heap.subarray(begin);
        const out = {
            time,
            kinetic,
            potential,
            residual,
            pull: heap.slice(begin + 6, begin + 12),
            q: [...take(nq)],
            v: [...take(nv)],
            along: [...take(nv)],
            tau: [...take(nv)],
            frame: { poses: Float32Array.from(take(7 * bodies)), center: Float32Array.from(take(3)), centerVelocity: Float32Array.from(take(3)) },
        };
        return { ...out, frame: { ...out.frame, contacts: contactsOf(take(kNumbersOfAContact * touching), touching) } };
    }

    lesson(request: { along: number[]; v: number[]; a: number[]; gravity: boolean }): LessonAnswer {
        return this.call({ do: "lesson", ...request }) as LessonAnswer;
    }

    private robot(request: object): LoadedRobot {
        const answer = this.call(request) as { findings: Finding[]; coordinates?: Coordinate[]; numbers?: string; lifts?: boolean };
        const page = answer.numbers === undefined ? undefined : pageOf(answer, bytesOf(answer.numbers).slice().buffer);
        return { page, coordinates: answer.coordinates ?? [], findings: answer.findings, lifts: answer.lifts ?? false };
    }

    private check(said: number): void {
        if (said !== 0) throw new Error(this.module.UTF8ToString(said));
    }
    private withNumbers(numbers: readonly number[], f: (at: number) => void): void {
        const at = this.module._malloc(8 * numbers.length);
        this.module.HEAPF64.set(numbers, at / 8);
        try {
            f(at);
        } finally {
            this.module._free(at);
        }
    }
    private withText<T>(text: string, f: (at: number) => T): T {
        const { module } = this;
        const size = module.lengthBytesUTF8(text) + 1;
        const at = module._malloc(size);
        module.stringToUTF8(text, at, size);
        try {
            return f(at);
        } finally {
            module._free(at);
        }
    }

    // Throws what the library says.
    private call(request: object): unknown {
        const text = this.withText(JSON.stringify(request), (at) => this.module.UTF8ToString(this.module._plucker_call(at)));
        const answer = JSON.parse(text) as { error?: string };
        if (answer.error !== undefined) throw new Error(answer.error);
        return answer;
    }
}

// As the recording viewer has them: mode and body apart, then position, normal, force and friction.
function contactsOf(numbers: Float64Array, count: number): Forces {
    const out: Forces = { starts: Uint32Array.of(0, count), links: new Uint32Array(count), modes: new Uint32Array(count), numbers: new Float32Array(10 * count) };
    for (let k = 0; k < count; ++k) {
        const at = kNumbersOfAContact * k;
        out.modes![k] = numbers[at];
        out.links[k] = numbers[at + 1];
        out.numbers.set(numbers.subarray(at + 2, at + kNumbersOfAContact), 10 * k);
    }
    return out;
}
