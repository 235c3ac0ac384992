// What is drawn over the robot: frames, axes, masses, forces, where it may stand and where it has been.
import * as three from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { Arrows, Cones } from "./arrows";
import { convexHull } from "./hull";
import { eachForce, type Motion } from "./motion";
import { place, type RobotView } from "./robot";
import type { WorldView } from "./world";

export const kModeColors = [0x8a94a3, 0x1fa971, 0xf08a24]; // open, stick, slide
const kPushColor = 0xd6336c;
const kCenterColor = 0xe0b400;
const kSupportColor = 0x1fa971;
const kPressureColor = 0xd6336c;
const kCaptureColor = 0x7950f2;

export type OverlayName =
    | "frames" | "axes" | "inertia" | "center" | "support" | "contacts" | "cones" | "pushes" | "trail";

function axesOf(length: number): three.Group {
    const group = new three.Group();
    const colors = [0xe03131, 0x2f9e44, 0x1c7ed6];
    colors.forEach((color, k) => {
        const bar = new three.Mesh(new three.CylinderGeometry(0.035 * length, 0.035 * length, length, 10), new three.MeshBasicMaterial({ color }));
        bar.position.setComponent(k, length / 2);
        if (k === 0) bar.rotation.z = -Math.PI / 2;
        if (k === 2) bar.rotation.x = Math.PI / 2;
        group.add(bar);
    });
    return group;
}

function disc(color: number, radius: number): three.Mesh {
    const geometry = new three.RingGeometry(0.45 * radius, radius, 40);
    return new three.Mesh(geometry, new three.MeshBasicMaterial({ color, transparent: true, opacity: 0.95, side: three.DoubleSide, depthTest: false }));
}

export class Overlays {
    readonly root = new three.Group(); // in the world
    private readonly groups: Record<OverlayName, three.Object3D[]>;
    private readonly shown = new Set<OverlayName>();
    private readonly contacts: Arrows;
    private readonly cones = new Cones();
    private readonly pushes: Arrows;
    private readonly center = new three.Group();
    private readonly centerBelow: three.Mesh;
    private readonly drop: three.Line;
    private readonly pressure: three.Mesh;
    private readonly capture: three.Mesh;
    private readonly support: three.Mesh;
    private readonly supportEdge: three.LineLoop;
    private readonly trail: Line2;
    private trailOf = -1; // a body; -1: the centre of mass
    private trailPoints: Float32Array = new Float32Array();
    private trailStep = 1;
    private readonly up: three.Vector3;
    private readonly gravity: number;
    private readonly forceScale: number;
    private readonly colors = kModeColors.map((color) => new three.Color(color));
    private readonly pushColor = new three.Color(kPushColor);

    // `floor`: its height along up, where nothing of the world is higher.
    constructor(view: RobotView, private readonly motion: Motion, private readonly size: number, private readonly floor: number, private readonly world?: WorldView) {
        const { robot } = view;
        const gravity = new three.Vector3(...robot.gravity);
        this.gravity = gravity.length();
        this.up = this.gravity > 0 ? gravity.clone().negate().normalize() : new three.Vector3(0, 0, 1);
        // The robot's weight is as long as half the robot.
        this.forceScale = (0.5 * size) / Math.max(1e-9, robot.mass * (this.gravity || 9.81));
        this.contacts = new Arrows(0.006 * size);
        this.pushes = new Arrows(0.009 * size, 64);

        const frames: three.Object3D[] = [];
        const axes: three.Object3D[] = [];
        const inertia: three.Object3D[] = [];
        for (const placed of [...robot.links, ...robot.frames]) {
            const frame = axesOf(0.055 * size);
            place(frame, placed.pose);
            view.bodies[placed.body].add(frame);
            frames.push(frame);
        }
        robot.bodies.forEach((body, i) => {
            for (const axis of body.joint?.axes ?? []) {
                const line = this.axisArrow(new three.Vector3(...axis));
                view.bodies[i].add(line);
                axes.push(line);
            }
            if (body.ellipsoid) {
                const mesh = new three.Mesh(
                    new three.SphereGeometry(1, 36, 24),
                    new three.MeshStandardMaterial({ color: 0xb197fc, transparent: true, opacity: 0.45, roughness: 0.7, depthWrite: false }),
                );
                place(mesh, body.ellipsoid.pose);
                mesh.scale.set(...(body.ellipsoid.radii.map((r) => Math.max(r, 1e-3 * size)) as [number, number, number]));
                view.bodies[i].add(mesh);
                inertia.push(mesh);
            }
        });

        this.center.add(centerBall(0.02 * size));
        this.centerBelow = disc(kCenterColor, 0.022 * size);
        this.pressure = disc(kPressureColor, 0.018 * size);
        this.capture = disc(kCaptureColor, 0.018 * size);
        const turned = new three.Quaternion().setFromUnitVectors(new three.Vector3(0, 0, 1), this.up);
        for (const mark of [this.centerBelow, this.pressure, this.capture]) {
            mark.quaternion.copy(turned);
            mark.renderOrder = 5;
        }
        this.drop = new three.Line(
            new three.BufferGeometry().setAttribute("position", new three.BufferAttribute(new Float32Array(6), 3)),
            new three.LineDashedMaterial({ color: kCenterColor, dashSize: 0.02 * size, gapSize: 0.015 * size }),
        );
        this.drop.frustumCulled = false;
        const polygon = new three.BufferGeometry().setAttribute("position", new three.BufferAttribute(new Float32Array(3 * 256), 3));
        this.support = new three.Mesh(polygon, new three.MeshBasicMaterial({ color: kSupportColor, transparent: true, opacity: 0.18, side: three.DoubleSide, depthWrite: false }));
        const edge = new three.BufferGeometry().setAttribute("position", new three.BufferAttribute(new Float32Array(3 * 128), 3));
        this.supportEdge = new three.LineLoop(edge, new three.LineBasicMaterial({ color: kSupportColor }));
        this.support.frustumCulled = this.supportEdge.frustumCulled = false;
        // Between its corners terrain may be higher.
        for (const shown of [this.support, this.supportEdge]) (shown.material as three.Material).depthTest = world === undefined;

        this.trail = new Line2(new LineGeometry(), new LineMaterial({ color: 0xf2793a, linewidth: 2.4, transparent: true, opacity: 0.85 }));
        this.trail.frustumCulled = false;

        this.groups = {
            frames,
            axes,
            inertia,
            center: [this.center, this.centerBelow, this.drop, this.capture],
            support: [this.support, this.supportEdge, this.pressure],
            contacts: [this.contacts.group],
            cones: [this.cones.mesh],
            pushes: [this.pushes.group],
            trail: [this.trail],
        };
        this.root.add(this.center, this.centerBelow, this.drop, this.capture, this.support, this.supportEdge, this.pressure);
        this.root.add(this.contacts.group, this.cones.mesh, this.pushes.group, this.trail);
        for (const name of Object.keys(this.groups) as OverlayName[]) this.show(name, false);
    }

    show(name: OverlayName, isShown: boolean): void {
        if (isShown) this.shown.add(name);
        else this.shown.delete(name);
        for (const object of this.groups[name]) object.visible = isShown;
    }

    // Draws the way of a body, or of the centre of mass (-1).
    follow(body: number): void {
        this.trailOf = body;
        this.trailPoints = new Float32Array();
    }

    update(): void {
        if (this.shown.has("center")) this.updateCenter();
        if (this.shown.has("contacts") || this.shown.has("cones")) this.updateContacts();
        if (this.shown.has("support")) this.updateSupport();
        if (this.shown.has("pushes")) this.updatePushes();
        if (this.shown.has("trail")) this.updateTrail();
    }

    private axisArrow(axis: three.Vector3): three.Object3D {
        const arrows = new Arrows(0.005 * this.size, 1);
        arrows.add(axis.clone().multiplyScalar(-0.045 * this.size), axis.clone().multiplyScalar(0.12 * this.size), new three.Color(0x1c7ed6));
        return arrows.group;
    }

    // Down to what is below the point.
    private onFloor(point: three.Vector3): three.Vector3 {
        const height = point.dot(this.up);
        const below = this.world?.below(point, this.up);
        const ground = below === undefined ? this.floor : height - below;
        return point.addScaledVector(this.up, ground + 1e-3 * this.size - height);
    }

    private updateCenter(): void {
        const { center } = this.motion;
        this.center.position.set(center[0], center[1], center[2]);
        this.onFloor(this.centerBelow.position.copy(this.center.position));
        const ends = this.drop.geometry.attributes.position as three.BufferAttribute;
        ends.setXYZ(0, ...this.center.position.toArray());
        ends.setXYZ(1, ...this.centerBelow.position.toArray());
        ends.needsUpdate = true;
        this.drop.computeLineDistances();
        // The capture point: where to step to come to rest, as for a point mass on a leg of constant height.
        const velocity = this.motion.data.center_velocity;
        const isKnown = velocity !== undefined && this.gravity > 0;
        this.capture.visible = isKnown && this.shown.has("center");
        if (!isKnown) return;
        const k = 3 * this.motion.index;
        const height = this.center.position.clone().sub(this.centerBelow.position).dot(this.up) + 1e-3 * this.size;
        const time = Math.sqrt(Math.max(0, height) / this.gravity);
        const step = new three.Vector3(velocity[k], velocity[k + 1], velocity[k + 2]).multiplyScalar(time);
        this.onFloor(this.capture.position.copy(this.center.position).add(step));
    }

    private updateContacts(): void {
        const { contacts } = this.motion.data;
        this.contacts.clear();
        this.cones.clear();
        const x = contacts.numbers;
        eachForce(contacts, this.motion.index, (k) => {
            const at = 10 * k;
            const position = new three.Vector3(x[at], x[at + 1], x[at + 2]);
            const normal = new three.Vector3(x[at + 3], x[at + 4], x[at + 5]);
            const force = new three.Vector3(x[at + 6], x[at + 7], x[at + 8]);
            const color = this.colors[contacts.modes?.[k] ?? 1];
            const length = force.length() * this.forceScale;
            this.contacts.add(position, force.multiplyScalar(this.forceScale), color);
            const friction = x[at + 9];
            if (friction > 0) this.cones.add(position, normal, friction, Math.min(0.12 * this.size, Math.max(0.04 * this.size, length)), color);
        });
    }

    // The hull of the points that carry, and the centre of pressure: on flat ground, the zero-moment point.
    private updateSupport(): void {
        const { contacts } = this.motion.data;
        const toUp = new three.Quaternion().setFromUnitVectors(this.up, new three.Vector3(0, 0, 1));
        const back = toUp.clone().invert();
        const points: [number, number, number][] = [];
        const pressure = new three.Vector3();
        let total = 0;
        eachForce(contacts, this.motion.index, (k) => {
            const x = contacts.numbers.subarray(10 * k, 10 * k + 9);
            if (contacts.modes?.[k] === 0) return;
            const position = new three.Vector3(x[0], x[1], x[2]);
            const flat = position.clone().applyQuaternion(toUp);
            points.push([flat.x, flat.y, flat.z]);
            const normal = x[3] * x[6] + x[4] * x[7] + x[5] * x[8];
            pressure.addScaledVector(position, normal);
            total += normal;
        });
        const hull = convexHull(points).slice(0, 84);
        const corner = ([a, b, c]: [number, number, number]) => new three.Vector3(a, b, c + 1e-3 * this.size).applyQuaternion(back);
        const fan = this.support.geometry.attributes.position as three.BufferAttribute;
        const edge = this.supportEdge.geometry.attributes.position as three.BufferAttribute;
        hull.forEach((point, k) => edge.setXYZ(k, ...corner(point).toArray()));
        let used = 0;
        for (let k = 1; k + 1 < hull.length; ++k) {
            for (const point of [hull[0], hull[k], hull[k + 1]]) fan.setXYZ(used++, ...corner(point).toArray());
        }
        fan.needsUpdate = edge.needsUpdate = true;
        this.support.geometry.setDrawRange(0, used);
        this.supportEdge.geometry.setDrawRange(0, hull.length);
        this.pressure.visible = total > 0 && this.shown.has("support");
        if (total > 0) this.pressure.position.copy(pressure.divideScalar(total)).addScaledVector(this.up, 1e-3 * this.size);
    }

    private updatePushes(): void {
        const { pushes } = this.motion.data;
        this.pushes.clear();
        const x = pushes.numbers;
        eachForce(pushes, this.motion.index, (k) => {
            const at = 6 * k;
            const force = new three.Vector3(x[at + 3], x[at + 4], x[at + 5]).multiplyScalar(this.forceScale);
            // It ends where it pushes.
            const from = new three.Vector3(x[at], x[at + 1], x[at + 2]).sub(force);
            this.pushes.add(from, force, this.pushColor);
        });
    }

    private updateTrail(): void {
        if (this.trailPoints.length === 0) this.buildTrail();
        const count = Math.floor(this.motion.index / this.trailStep) + 1;
        (this.trail.geometry as LineGeometry).instanceCount = Math.max(0, Math.min(count, this.trailPoints.length / 3) - 1);
    }

    private buildTrail(): void {
        const { data, bodies, instants } = this.motion;
        this.trailStep = Math.max(1, Math.ceil(instants / 6000));
        const points: number[] = [];
        for (let k = 0; k < instants; k += this.trailStep) {
            const [from, at] = this.trailOf < 1 ? [data.center, 3 * k] : [data.poses, 7 * (bodies * k + this.trailOf - 1)];
            points.push(from[at], from[at + 1], from[at + 2]);
        }
        if (points.length < 6) points.push(...points.slice(-3));
        this.trailPoints = new Float32Array(points);
        (this.trail.geometry as LineGeometry).setPositions(this.trailPoints);
    }
}

// The engineers' sign for a centre of mass: a ball of eight parts, black and white by turns.
function centerBall(radius: number): three.Object3D {
    const group = new three.Group();
    for (let k = 0; k < 8; ++k) {
        const quarter = k % 4;
        const half = k < 4 ? 0 : 1;
        const geometry = new three.SphereGeometry(radius, 12, 10, (quarter * Math.PI) / 2, Math.PI / 2, (half * Math.PI) / 2, Math.PI / 2);
        const color = (quarter + half) % 2 === 0 ? kCenterColor : 0x22262c;
        // Drawn with what is transparent, which comes last.
        group.add(new three.Mesh(geometry, new three.MeshBasicMaterial({ color, depthTest: false, transparent: true })));
    }
    group.renderOrder = 6;
    group.traverse((object) => (object.renderOrder = 6));
    return group;
}
