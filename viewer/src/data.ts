// What the page was given: a robot, what it did, and the numbers of both.
//
// Everything here is data from files. Names are shown as text, never as HTML.

export type Vector = [number, number, number];
export type PoseNumbers = [number, number, number, number, number, number, number]; // position, quaternion x y z w

export interface Shape {
    name: string;
    pose: PoseNumbers;
    rgba?: [number, number, number, number];
    box?: Vector;
    cylinder?: [number, number]; // radius, length, along z
    capsule?: [number, number];
    sphere?: number;
    ellipsoid?: Vector;
    plane?: Vector;
    mesh?: number;
    uri?: string; // what the file calls the mesh
    scale?: Vector;
}
export interface Joint {
    name: string;
    type: string;
    axes: Vector[]; // in the body
    lower: number | null;
    upper: number | null;
    mimics?: string;
}
export interface Body {
    name: string;
    parent: number;
    joint?: Joint;
    mass?: number;
    center?: Vector;
    ellipsoid?: { pose: PoseNumbers; radii: Vector };
}
export interface Placed {
    name: string;
    body: number;
    pose: PoseNumbers;
}
export interface Link extends Placed {
    visuals: Shape[];
    collisions: Shape[];
}
export interface MeshPart {
    positions: Float32Array;
    normals?: Float32Array;
    indices: Uint32Array;
    rgba?: [number, number, number, number];
}
export interface Robot {
    name: string;
    mass: number;
    nq: number;
    nv: number;
    floating: boolean;
    gravity: Vector;
    bodies: Body[]; // the world first
    links: Link[];
    frames: Placed[];
    meshes: MeshPart[][];
}
export interface Series {
    group: string;
    name: string;
    unit: string;
    values: Float32Array;
    lower?: number;
    upper?: number;
}
// What acted at each instant: entries starts[k] … starts[k + 1] are those of instant k.
export interface Forces {
    starts: Uint32Array;
    links: Uint32Array;
    modes?: Uint32Array; // open, stick, slide
    numbers: Float32Array;
}
export interface Terrain {
    origin: Vector;
    spacing: [number, number];
    points: [number, number];
    heights: Float32Array; // x runs fastest
}
// What the robot could run into, besides the ground.
export interface WorldData {
    shapes: Shape[];
    meshes: MeshPart[][];
    terrain: Terrain[];
}
export interface MotionData {
    name: string;
    times: Float64Array;
    poses: Float32Array; // seven a body a instant, without the world
    center: Float32Array;
    center_velocity?: Float32Array;
    names: string[];
    ground: boolean;
    world?: WorldData;
    series: Series[];
    contacts: Forces; // ten numbers each: position, normal, force, friction
    pushes: Forces; // six numbers each: position, force
}
export interface Page {
    title: string;
    robot: Robot;
    motions: MotionData[];
    demonstration?: boolean;
}

interface ArrayReference {
    at: number;
    count: number;
    type: "f32" | "f64" | "u32";
}

export function bytesOf(base64: string): Uint8Array {
    const modern = Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array };
    if (modern.fromBase64) return modern.fromBase64(base64);
    const text = atob(base64);
    const out = new Uint8Array(text.length);
    for (let k = 0; k < text.length; ++k) out[k] = text.charCodeAt(k);
    return out;
}

// The pieces, one after the other. Each element is emptied: the text would stay in memory beside the numbers.
function readNumbers(): ArrayBuffer {
    const pieces: Uint8Array[] = [];
    for (const element of document.querySelectorAll("script.numbers")) {
        pieces.push(bytesOf(element.textContent ?? ""));
        element.remove();
    }
    const out = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    let at = 0;
    for (const piece of pieces) {
        out.set(piece, at);
        at += piece.length;
    }
    return out.buffer;
}

function isReference(value: unknown): value is ArrayReference {
    return typeof value === "object" && value !== null && "at" in value && "count" in value && "type" in value;
}

// Replaces references by the arrays that they stand for, wherever they are.
function resolve(value: unknown, numbers: ArrayBuffer): unknown {
    if (isReference(value)) {
        const kinds = { f32: Float32Array, f64: Float64Array, u32: Uint32Array };
        return new kinds[value.type](numbers, value.at, value.count);
    }
    if (typeof value === "object" && value !== null) {
        const object = value as Record<string, unknown>;
        for (const key of Object.keys(object)) object[key] = resolve(object[key], numbers);
    }
    return value;
}

export function readPage(): Page {
    const element = document.getElementById("robot");
    if (!element) throw new Error("this page has no robot in it; plucker view writes one that has");
    return pageOf(JSON.parse(element.textContent ?? ""), readNumbers());
}

export function pageOf(data: unknown, numbers: ArrayBuffer): Page {
    return resolve(data, numbers) as Page;
}
