// The viewer itself: the robot on its stage, its motions, and what is shown of them. No part of the page's frame.
import * as three from "three";
import type { Page } from "./data";
import { LiveMotion, Motion } from "./motion";
import { Overlays, type OverlayName } from "./overlays";
import { Player } from "./player";
import { Paint, RobotView } from "./robot";
import { type Side, Stage } from "./stage";
import { WorldView } from "./world";

export type Layer = "visual" | "collision" | "ghosts" | "apart" | OverlayName;

const kInside: Layer[] = ["frames", "axes", "inertia"]; // what shapes would hide
const kGhostColors = [0x1c7ed6, 0xe8590c, 0x2f9e44, 0xae3ec9];

// What is under the pointer.
export interface Found {
    body: number;
    link: string;
    point: three.Vector3; // where it is hit, in the scene
}

export class Viewer {
    readonly stage: Stage;
    readonly player: Player;
    readonly motion: Motion;
    readonly view: RobotView;
    readonly world?: WorldView; // what else is there
    readonly shown = new Set<Layer>();
    following = false;
    selected = -1; // a body
    private readonly ghosts: { motion: Motion; view: RobotView }[] = [];
    private readonly overlays: Overlays;
    private readonly center = new three.Vector3();
    private readonly ray = new three.Raycaster();
    private readonly highlight = new Map<three.Mesh, three.Material | three.Material[]>();

    // `isLive`: somebody else says where the robot is.
    constructor(readonly page: Page, element: HTMLElement, readonly isLive = false) {
        const { robot, motions } = page;
        const bodies = robot.bodies.length - 1;
        this.stage = new Stage(element, robot.gravity);
        this.motion = isLive ? new LiveMotion(motions[0], bodies) : new Motion(motions[0], bodies);
        this.view = new RobotView(robot, this.motion);
        this.stage.world.add(this.view.root);
        motions.slice(1).forEach((data, k) => {
            const motion = new Motion(data, bodies);
            const view = new RobotView(robot, motion, new Paint(kGhostColors[k % kGhostColors.length]));
            view.root.traverse((object) => (object.castShadow = false));
            this.stage.world.add(view.root);
            this.ghosts.push({ motion, view });
        });
        this.player = new Player(Math.min(...motions.map((m) => m.times[0])), Math.max(...motions.map((m) => m.times[m.times.length - 1])));
        if (motions[0].world) {
            this.world = new WorldView(motions[0].world);
            this.stage.world.add(this.world.root);
        }
        this.stage.resize();
        const floor = this.floorHeight();
        this.stage.fit(this.bounds(), floor);
        this.stage.showFloor(this.motion.data.ground || !this.world);
        this.findHome();
        this.overlays = new Overlays(this.view, this.motion, this.stage.size, floor, this.world);
        this.stage.world.add(this.overlays.root);
        for (const layer of this.layersAtFirst()) this.show(layer, true);
        this.update();
        this.following = !isLive && this.goesFar();
    }

    // What there is to be shown: a robot without recorded contacts has none to switch on.
    layers(): Layer[] {
        const { robot } = this.page;
        const { contacts, pushes } = this.motion.data;
        const out: Layer[] = ["visual"];
        if (robot.links.some((link) => link.collisions.length > 0)) out.push("collision");
        out.push("frames", "axes", "inertia", "center");
        const canTouch = this.isLive && out.includes("collision");
        if (canTouch || contacts.links.length > 0) out.push("contacts", "cones", "support");
        if (pushes.links.length > 0) out.push("pushes");
        if (this.motion.instants > 1 && !this.isLive) out.push("trail");
        if (this.ghosts.length > 0) out.push("ghosts", "apart");
        return out;
    }

    show(layer: Layer, isShown: boolean): void {
        if (isShown) this.shown.add(layer);
        else this.shown.delete(layer);
        if (layer === "visual") for (const group of this.view.visuals) group.visible = isShown;
        else if (layer === "collision") for (const group of this.view.collisions) group.visible = isShown;
        else if (layer === "ghosts") for (const { view } of this.ghosts) view.root.visible = isShown;
        else if (layer === "apart") this.setApart(isShown);
        else this.overlays.show(layer, isShown);
        if (kInside.includes(layer)) this.glass();
        this.update();
    }

    toggle(layer: Layer): void {
        if (this.layers().includes(layer)) this.show(layer, !this.shown.has(layer));
    }

    // Puts everything where it is at the player's time.
    update(): void {
        this.motion.at(this.player.time);
        this.view.update(this.motion);
        if (this.shown.has("ghosts")) {
            for (const { motion, view } of this.ghosts) {
                motion.at(this.player.time);
                view.update(motion);
            }
        }
        this.overlays.update();
        const moved = this.centerNow().sub(this.center);
        this.center.add(moved);
        if (this.following) this.stage.moveBy(moved);
        this.stage.light(this.center);
    }

    dark(isDark: boolean): void {
        this.stage.dark(isDark);
        this.world?.dark(isDark);
    }

    follow(isFollowing: boolean): void {
        this.following = isFollowing;
        if (isFollowing) this.stage.moveBy(this.centerNow().sub(this.stage.controls.target));
        this.stage.request();
    }

    look(side: Side): void {
        this.stage.look(side);
    }

    // Marks a body, and makes the trail its own; -1 marks none.
    select(body: number): void {
        for (const [mesh, material] of this.highlight) mesh.material = material;
        this.highlight.clear();
        this.selected = body;
        this.overlays.follow(body);
        if (body > 0) {
            this.view.visuals[body].traverse((object) => {
                if (!(object instanceof three.Mesh)) return;
                this.highlight.set(object, object.material);
                const marked = (object.material as three.MeshStandardMaterial).clone();
                marked.emissive = new three.Color(0xff7a1a);
                marked.emissiveIntensity = 0.45;
                // Of glass, it is the one that is hardly seen through.
                if (marked.transparent) {
                    marked.color.lerp(marked.emissive, 0.5);
                    marked.opacity = Math.max(marked.opacity, 0.7);
                }
                object.material = marked;
            });
        }
        this.update();
    }

    // x and y from -1 to 1.
    find(x: number, y: number): Found | undefined {
        this.ray.setFromCamera(new three.Vector2(x, y), this.stage.camera);
        const groups = [...this.view.visuals, ...this.view.collisions].filter((group) => group.visible);
        for (const hit of this.ray.intersectObjects(groups, true)) {
            let link = "";
            for (let at: three.Object3D | null = hit.object; at; at = at.parent) {
                if (typeof at.userData.link === "string") link = at.userData.link;
                if (typeof at.userData.body === "number") {
                    const body = at.userData.body as number;
                    return { body, link: link || this.page.robot.bodies[body].name, point: hit.point };
                }
            }
        }
        return undefined;
    }

    // What is under the pointer.
    under(event: { clientX: number; clientY: number }): Found | undefined {
        return this.find(...this.aimedAt(event));
    }
    // The pointer in the picture: x and y from -1 to 1.
    aimedAt(event: { clientX: number; clientY: number }): [number, number] {
        const box = this.stage.renderer.domElement.getBoundingClientRect();
        return [(2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height];
    }

    // Where a body is on the screen, in pixels of the stage.
    onScreen(body: number): [number, number] {
        const point = this.view.bodies[body].getWorldPosition(new three.Vector3()).project(this.stage.camera);
        const { clientWidth, clientHeight } = this.stage.element;
        return [((point.x + 1) / 2) * clientWidth, ((1 - point.y) / 2) * clientHeight];
    }

    // Takes the picture away, and gives back what it needed of the graphics card.
    remove(): void {
        if (!this.stage.renderer.domElement.isConnected) return;
        this.stage.renderer.domElement.remove();
        this.stage.renderer.dispose();
        this.stage.renderer.forceContextLoss();
    }

    // Shapes are of glass while something inside of them is shown. What is marked is painted anew.
    private glass(): void {
        const { selected } = this;
        this.select(-1);
        this.view.paint.glass(kInside.some((layer) => this.shown.has(layer)));
        this.select(selected);
    }

    private layersAtFirst(): Layer[] {
        const wanted: Layer[] = ["visual", "contacts", "cones", "pushes", "ghosts"];
        return wanted.filter((layer) => this.layers().includes(layer));
    }

    // Whether the robot leaves the picture: then the camera goes along, until somebody says no.
    private goesFar(): boolean {
        const { center } = this.motion.data;
        for (let k = 0; k + 2 < center.length; k += 3) {
            if (Math.hypot(center[k] - center[0], center[k + 1] - center[1], center[k + 2] - center[2]) > 0.5 * this.stage.size) return true;
        }
        return false;
    }

    // Home is where the robot is seen: not behind stairs.
    private findHome(): void {
        const { stage, world } = this;
        if (!world) return;
        // Seen from so much lower than the camera is, as a part of its distance.
        const isHidden = (lower: number) => {
            const { target } = stage.controls;
            const eye = stage.camera.position.clone();
            eye.z -= lower * eye.distanceTo(target);
            return [0, 0.25, -0.25].some((high) => world.hides(target.clone().add(new three.Vector3(0, 0, high * stage.size)), eye));
        };
        const sides: [number, number][] = [[1, -0.75], [-1, -0.75], [-1, 0.75], [1, 0.75]];
        for (const lower of [0.4, 0]) {
            for (const [x, y] of sides) {
                stage.home = [x, y, 0.42];
                stage.look("corner");
                if (!isHidden(lower)) return;
            }
        }
        stage.home = [1, -0.75, 1.4];
        stage.look("corner");
    }

    private setApart(isApart: boolean): void {
        this.ghosts.forEach(({ view }, k) => view.root.position.set(0, isApart ? (k + 1) * 0.8 * this.stage.size : 0, 0));
    }

    private centerNow(): three.Vector3 {
        const [x, y, z] = this.motion.center;
        return new three.Vector3(x, y, z).applyQuaternion(this.stage.world.quaternion);
    }

    bounds(): three.Box3 {
        this.stage.world.updateMatrixWorld(true);
        const box = new three.Box3().setFromObject(this.view.root);
        return box.isEmpty() ? new three.Box3(new three.Vector3(-0.5, -0.5, 0), new three.Vector3(0.5, 0.5, 1)) : box;
    }

    // The ground of a simulation is at zero. Otherwise the floor is below the robot: where it stands at first if it floats,
    // and else below all that it reaches.
    private floorHeight(): number {
        if (this.motion.data.ground) return 0;
        if (this.world) return this.world.lowest();
        if (this.page.robot.floating) return this.bounds().min.z;
        let lowest = 0;
        const samples = 40;
        for (let k = 0; k <= samples; ++k) {
            this.motion.at(this.motion.begin + (k / samples) * (this.motion.end - this.motion.begin));
            this.view.update(this.motion);
            lowest = Math.min(lowest, this.bounds().min.z);
        }
        this.motion.at(this.motion.begin);
        this.view.update(this.motion);
        return lowest;
    }
}
