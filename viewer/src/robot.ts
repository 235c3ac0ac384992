// The robot in the scene: a group a body, in it the shapes of its links.
import * as three from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import type { Link, PoseNumbers, Robot, Shape } from "./data";
import type { Motion } from "./motion";

// Colours for what has none of its own.
const kShell = 0xe8e6e3;
const kBone = 0x3a424e;
const kAccent = 0xf2793a;
const kGlass = 0.42; // how much of what is seen through it is hidden

export function place(object: three.Object3D, pose: ArrayLike<number>, at = 0): void {
    object.position.set(pose[at], pose[at + 1], pose[at + 2]);
    object.quaternion.set(pose[at + 3], pose[at + 4], pose[at + 5], pose[at + 6]);
}

// How robots are painted; ghosts are all of one transparent colour.
export class Paint {
    private readonly known = new Map<string, three.Material>();

    constructor(private readonly ghost?: three.ColorRepresentation) {}

    material(rgba: readonly number[] | number, rough = 0.55): three.Material {
        const key = `${String(rgba)} ${rough}`;
        let found = this.known.get(key);
        if (!found) {
            found = this.make(rgba, rough);
            this.known.set(key, found);
        }
        return found;
    }

    // As of glass, so that what is inside can be seen; or again as it was.
    glass(isGlass: boolean): void {
        for (const material of this.known.values()) {
            const { opacity, side } = (material.userData.solid ??= { opacity: material.opacity, side: material.side }) as { opacity: number; side: three.Side };
            material.opacity = isGlass ? kGlass * opacity : opacity;
            material.transparent = isGlass || opacity < 1;
            material.depthWrite = !isGlass;
            material.side = isGlass ? three.FrontSide : side;
            material.needsUpdate = true;
        }
    }

    private make(rgba: readonly number[] | number, rough: number): three.Material {
        if (this.ghost !== undefined) {
            return new three.MeshStandardMaterial({
                color: this.ghost,
                transparent: true,
                opacity: 0.3,
                roughness: 0.8,
                depthWrite: false,
            });
        }
        const color = new three.Color();
        let opacity = 1;
        if (typeof rgba === "number") {
            color.set(rgba);
        } else {
            color.setRGB(rgba[0], rgba[1], rgba[2], three.SRGBColorSpace);
            opacity = rgba[3] ?? 1;
        }
        return new three.MeshStandardMaterial({
            color,
            roughness: rough,
            metalness: 0.05,
            opacity,
            transparent: opacity < 1,
            side: three.DoubleSide,
        });
    }
}

// Geometries are along y in three.js, along z in robot files.
function alongZ(geometry: three.BufferGeometry): three.BufferGeometry {
    return geometry.rotateX(Math.PI / 2);
}

const kMeshes = new WeakMap<object, three.BufferGeometry>();

function meshGeometry(part: Robot["meshes"][number][number]): three.BufferGeometry {
    let geometry = kMeshes.get(part);
    if (geometry) return geometry;
    geometry = new three.BufferGeometry();
    geometry.setAttribute("position", new three.BufferAttribute(part.positions, 3));
    geometry.setIndex(new three.BufferAttribute(part.indices, 1));
    if (part.normals) geometry.setAttribute("normal", new three.BufferAttribute(part.normals, 3));
    else geometry.computeVertexNormals();
    kMeshes.set(part, geometry);
    return geometry;
}

function primitive(shape: Shape): three.BufferGeometry | undefined {
    if (shape.box) {
        const least = Math.min(...shape.box);
        return new RoundedBoxGeometry(...shape.box, 3, Math.min(0.012, 0.12 * least));
    }
    if (shape.cylinder) return alongZ(new three.CylinderGeometry(shape.cylinder[0], shape.cylinder[0], shape.cylinder[1], 40));
    if (shape.capsule) return alongZ(new three.CapsuleGeometry(shape.capsule[0], shape.capsule[1], 10, 32));
    if (shape.sphere !== undefined) return new three.SphereGeometry(shape.sphere, 40, 24);
    if (shape.ellipsoid) return new three.SphereGeometry(1, 40, 24).scale(...shape.ellipsoid);
    return undefined; // a plane is the floor, which is drawn anyway
}

// A shape at its place; nothing for a plane.
export function shapeObject(shape: Shape, meshes: Robot["meshes"], paint: Paint, color?: number, rough?: number): three.Object3D | undefined {
    const of = (rgba?: readonly number[]) => paint.material(color ?? shape.rgba ?? rgba ?? kShell, rough);
    let object: three.Object3D;
    if (shape.mesh !== undefined) {
        object = new three.Group();
        for (const part of meshes[shape.mesh]) object.add(new three.Mesh(meshGeometry(part), of(part.rgba)));
        if (shape.scale) object.scale.set(...shape.scale);
    } else {
        const geometry = primitive(shape);
        if (!geometry) return undefined;
        object = new three.Mesh(geometry, of());
    }
    place(object, shape.pose);
    return object;
}

// A capsule from one point to another.
function rod(from: three.Vector3, to: three.Vector3, radius: number, material: three.Material): three.Mesh {
    const along = to.clone().sub(from);
    const mesh = new three.Mesh(alongZ(new three.CapsuleGeometry(radius, along.length(), 8, 20)), material);
    mesh.position.copy(from).addScaledVector(along, 0.5);
    mesh.quaternion.setFromUnitVectors(new three.Vector3(0, 0, 1), along.normalize());
    return mesh;
}

export class RobotView {
    readonly root = new three.Group();
    readonly bodies: three.Group[] = [];
    readonly visuals: three.Group[] = []; // one a body, so that they are shown and hidden together
    readonly collisions: three.Group[] = [];
    readonly generated: boolean; // whether shapes are made up, because the file has none

    constructor(readonly robot: Robot, motion: Motion, readonly paint = new Paint()) {
        for (let i = 0; i < robot.bodies.length; ++i) {
            const body = new three.Group();
            const visual = new three.Group();
            const collision = new three.Group();
            collision.visible = false;
            body.add(visual, collision);
            body.userData = visual.userData = collision.userData = { body: i };
            this.root.add(body);
            this.bodies.push(body);
            this.visuals.push(visual);
            this.collisions.push(collision);
        }
        const solid = (shapes: Shape[]) => shapes.filter((shape) => shape.plane === undefined);
        const drawn = (choose: (link: Link) => Shape[]) => robot.links.some((link) => solid(choose(link)).length > 0);
        const hasVisuals = drawn((link) => link.visuals);
        const hasCollisions = drawn((link) => link.collisions);
        this.generated = !hasVisuals && !hasCollisions;
        for (const link of robot.links) {
            this.addShapes(hasVisuals ? link.visuals : link.collisions, link, this.visuals, paint);
            this.addShapes(link.collisions, link, this.collisions, paint, 0x2f8fdd);
        }
        for (const group of this.collisions) makeCollision(group);
        if (this.generated) this.generateShapes(motion, paint);
        this.root.traverse((object) => {
            object.castShadow = object.receiveShadow = true;
        });
        this.update(motion);
    }

    update(motion: Motion): void {
        for (let i = 1; i < this.bodies.length; ++i) place(this.bodies[i], motion.poses, 7 * (i - 1));
    }

    private addShapes(shapes: Shape[], link: Link, groups: three.Group[], paint: Paint, color?: number): void {
        for (const shape of shapes) {
            const object = shapeObject(shape, this.robot.meshes, paint, color);
            if (!object) continue;
            const holder = new three.Group();
            place(holder, link.pose);
            holder.userData = { link: link.name };
            holder.add(object);
            groups[link.body].add(holder);
        }
    }

    // A robot without shapes is drawn by what is known of it: each body as the box that has its mass and inertia, and rods
    // from joint to joint.
    private generateShapes(motion: Motion, paint: Paint): void {
        const { bodies } = this.robot;
        const origin = (i: number) => new three.Vector3(...(i === 0 ? [0, 0, 0] : motion.poses.subarray(7 * (i - 1), 7 * (i - 1) + 3)));
        const size = this.spread(motion);
        const thin = 0.012 * size;
        const shell = paint.material(kShell);
        const bone = paint.material(kBone, 0.4);
        const accent = paint.material(kAccent, 0.45);
        for (let i = 1; i < bodies.length; ++i) {
            const body = bodies[i];
            this.update(motion);
            this.bodies[i].updateMatrixWorld();
            const inBody = (point: three.Vector3) => this.bodies[i].worldToLocal(point);
            const isLeaf = !bodies.some((other) => other.parent === i);
            if (body.ellipsoid) this.visuals[i].add(massBox(body.ellipsoid, thin, isLeaf ? accent : shell));
            bodies.forEach((child, k) => {
                if (child.parent !== i) return;
                const end = inBody(origin(k));
                if (end.length() > 2 * thin) this.visuals[i].add(rod(new three.Vector3(), end, thin, bone));
            });
            const center = body.center && new three.Vector3(...body.center);
            if (isLeaf && center && center.length() > 2 * thin) this.visuals[i].add(rod(new three.Vector3(), center, thin, bone));
            this.visuals[i].add(jointKnob(body.joint?.type, body.joint?.axes[0], 1.6 * thin, bone));
        }
        // What the base stands on: rods of the world to the first joints.
        bodies.forEach((child, k) => {
            if (child.parent !== 0 || child.joint?.type === "floating") return;
            const end = origin(k);
            if (end.length() > 2 * thin) this.visuals[0].add(rod(new three.Vector3(), end, thin, bone));
        });
    }

    // How far apart the bodies are, and their masses.
    private spread(motion: Motion): number {
        const box = new three.Box3();
        const center = new three.Vector3();
        this.update(motion);
        this.robot.bodies.forEach((body, i) => {
            if (i === 0) return;
            box.expandByPoint(this.bodies[i].position);
            if (body.center) box.expandByPoint(center.set(...body.center).applyQuaternion(this.bodies[i].quaternion).add(this.bodies[i].position));
        });
        const length = box.getSize(new three.Vector3()).length();
        return length > 1e-6 ? length : 0.2;
    }
}

// Thin and see-through, with its edges drawn.
function makeCollision(group: three.Group): void {
    const material = new three.MeshStandardMaterial({ color: 0x2f8fdd, transparent: true, opacity: 0.28, roughness: 0.9, depthWrite: false });
    const edges = new three.LineBasicMaterial({ color: 0x2f8fdd, transparent: true, opacity: 0.7 });
    const meshes: three.Mesh[] = [];
    group.traverse((object) => {
        if (object instanceof three.Mesh) meshes.push(object);
    });
    for (const mesh of meshes) {
        mesh.material = material;
        mesh.add(new three.LineSegments(new three.EdgesGeometry(mesh.geometry, 30), edges));
    }
}

function massBox(ellipsoid: { pose: PoseNumbers; radii: readonly number[] }, thin: number, material: three.Material): three.Mesh {
    const sides = ellipsoid.radii.map((radius) => Math.max(radius * Math.sqrt(12 / 5), 2.2 * thin)) as [number, number, number];
    const isPoint = Math.max(...ellipsoid.radii) < thin;
    const geometry = isPoint
        ? new three.SphereGeometry(3.2 * thin, 40, 24)
        : new RoundedBoxGeometry(...sides, 5, 0.32 * Math.min(...sides));
    const mesh = new three.Mesh(geometry, material);
    place(mesh, ellipsoid.pose);
    return mesh;
}

function jointKnob(type: string | undefined, axis: readonly number[] | undefined, radius: number, material: three.Material): three.Object3D {
    if (type !== "revolute" || !axis) return new three.Mesh(new three.SphereGeometry(radius, 24, 16), material);
    const mesh = new three.Mesh(alongZ(new three.CylinderGeometry(radius, radius, 3 * radius, 28)), material);
    mesh.quaternion.setFromUnitVectors(new three.Vector3(0, 0, 1), new three.Vector3(...axis));
    return mesh;
}
