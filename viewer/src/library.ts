// The library itself, in the page: compiled to WebAssembly, called with texts and arrays.
import createPlucker from "plucker-wasm";
import { bytesOf, pageOf, type Page } from "./data";

interface Module {
    HEAPF32: Float32Array;
    HEAPF64: Float64Array;
    _malloc(bytes: number): number;
    _free(at: number): void;
    _plucker_call(request: number): number;
    _plucker_poses(along: number, q: number, poses: number, center: number): number;
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
    findings: Finding[];
}
export interface Posture {
    q: number[];
    poses: Float32Array;
    center: Float32Array;
}

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

    private robot(request: object): LoadedRobot {
        const answer = this.call(request) as { findings: Finding[]; coordinates?: Coordinate[]; numbers?: string };
        const page = answer.numbers === undefined ? undefined : pageOf(answer, bytesOf(answer.numbers).slice().buffer);
        return { page, coordinates: answer.coordinates ?? [], findings: answer.findings };
    }

    // Throws what the library says.
    private call(request: object): unknown {
        const { module } = this;
        const text = JSON.stringify(request);
        const size = module.lengthBytesUTF8(text) + 1;
        const at = module._malloc(size);
        module.stringToUTF8(text, at, size);
        const answer = JSON.parse(module.UTF8ToString(module._plucker_call(at))) as { error?: string };
        module._free(at);
        if (answer.error !== undefined) throw new Error(answer.error);
        return answer;
    }
}
