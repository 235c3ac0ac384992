// The scene around the robot: light, floor, camera.
import * as three from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { RoomEnvironment } from "three/examples/jsm/environments/RoomEnvironment.js";

// A grid of lines of one pixel that fades out with the distance.
const kGridVertex = `
varying vec2 place;
void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    place = world.xy;
    gl_Position = projectionMatrix * viewMatrix * world;
}`;
const kGridFragment = `
varying vec2 place;
uniform vec3 color;
uniform float strength;
uniform float cell;
uniform float reach;
uniform vec2 middle;
float lines(vec2 p) {
    vec2 width = fwidth(p);
    vec2 near = abs(fract(p - 0.5) - 0.5) / width;
    float line = 1.0 - min(min(near.x, near.y), 1.0);
    return line * (1.0 - smoothstep(0.3, 1.0, max(width.x, width.y)));
}
void main() {
    float fade = 1.0 - smoothstep(0.12 * reach, reach, length(place - middle));
    float line = max(0.3 * lines(place / cell), 0.75 * lines(place / (5.0 * cell)));
    gl_FragColor = vec4(color, line * fade * strength);
}`;

// Without a graphics card the processor draws, a hundred times slower: then light
// comes from sun and sky alone, without a room that is mirrored, and edges are not smoothed. The address page.html#fine asks
// for both all the same.
function isDrawnByProcessor(): boolean {
    const gl = document.createElement("canvas").getContext("webgl2");
    const info = gl?.getExtension("WEBGL_debug_renderer_info");
    const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
    gl?.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|software/i.test(name);
}

export type Side = "front" | "side" | "top" | "corner";

export class Stage {
    readonly scene = new three.Scene();
    readonly world = new three.Group(); // what the robot's file means by its axes, turned so that up is z
    readonly camera = new three.PerspectiveCamera(34, 1, 0.01, 500);
    readonly controls: OrbitControls;
    readonly renderer: three.WebGLRenderer;
    frameMilliseconds = 0; // of the last frames, on average
    size = 1; // of the robot, in metres
    home: [number, number, number] = [1, -0.75, 0.42]; // the direction from which it is looked at first
    private readonly sun = new three.DirectionalLight(0xffffff, 2.6);
    private readonly sky = new three.HemisphereLight(0xffffff, 0x8890a0, 0.55);
    private readonly floor = new three.Group();
    private readonly grid: three.ShaderMaterial;
    private readonly shadow = new three.ShadowMaterial({ opacity: 0.22 });
    private covered = 0; // pixels of the picture that something lies over: on the right,
    private coveredAbove = 0; // and above
    private wanted = true;

    constructor(readonly element: HTMLElement, gravity: readonly number[]) {
        const isSlow = location.hash !== "#fine" && isDrawnByProcessor();
        this.renderer = new three.WebGLRenderer({ antialias: !isSlow, alpha: true, powerPreference: "high-performance" });
        this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, isSlow ? 1 : 2));
        this.sun.shadow.mapSize.setScalar(isSlow ? 1024 : 2048);
        this.renderer.toneMapping = three.NeutralToneMapping;
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = three.PCFShadowMap;
        element.append(this.renderer.domElement);

        if (isSlow) {
            this.sky.intensity = 2.2;
        } else {
            const room = new three.PMREMGenerator(this.renderer);
            this.scene.environment = room.fromScene(new RoomEnvironment(), 0.04).texture;
            room.dispose();
        }

        const up = new three.Vector3(...gravity).negate();
        if (up.length() > 0) this.world.quaternion.setFromUnitVectors(up.normalize(), new three.Vector3(0, 0, 1));
        this.camera.up.set(0, 0, 1);
        this.controls = new OrbitControls(this.camera, this.renderer.domElement);
        this.controls.enableDamping = true;
        this.controls.dampingFactor = 0.12;
        this.controls.zoomToCursor = true;
        this.controls.addEventListener("change", () => this.request());

        this.grid = new three.ShaderMaterial({
            uniforms: {
                color: { value: new three.Color() },
                strength: { value: 1 },
                cell: { value: 0.1 },
                reach: { value: 10 },
                middle: { value: new three.Vector2() },
            },
            vertexShader: kGridVertex,
            fragmentShader: kGridFragment,
            transparent: true,
            depthWrite: false,
        });
        this.scene.add(this.world, this.sky, this.sun, this.sun.target, this.floor);
    }

    // Puts floor, light and camera where they serve the robot, whose bounds are given in the world.
    fit(bounds: three.Box3, floorHeight: number): void {
        const box = bounds.clone();
        const sphere = box.getBoundingSphere(new three.Sphere());
        this.size = Math.max(2 * sphere.radius, 1e-3);
        const reach = 6 * this.size;
        this.floor.clear();
        const plane = new three.PlaneGeometry(2 * reach, 2 * reach);
        const lines = new three.Mesh(plane, this.grid);
        const shade = new three.Mesh(plane, this.shadow);
        shade.receiveShadow = true;
        lines.position.z = 2e-4 * this.size;
        lines.renderOrder = shade.renderOrder = -1;
        this.floor.add(shade, lines);
        this.floor.position.set(sphere.center.x, sphere.center.y, floorHeight - 1e-3 * this.size);
        this.grid.uniforms.reach.value = reach;
        this.grid.uniforms.middle.value.set(sphere.center.x, sphere.center.y);
        // A cell is a power of ten that the robot spans some times: 1 cm, 10 cm, 1 m.
        this.grid.uniforms.cell.value = 10 ** Math.round(Math.log10(this.size / 6));

        this.sun.castShadow = true;
        this.sun.shadow.radius = 5;
        this.sun.shadow.bias = -0.0004;
        this.sun.shadow.normalBias = 0.012 * this.size;
        const shadows = this.sun.shadow.camera;
        shadows.left = shadows.bottom = -1.5 * this.size;
        shadows.right = shadows.top = 1.5 * this.size;
        shadows.near = 0.1 * this.size;
        shadows.far = 8 * this.size;
        shadows.updateProjectionMatrix();
        this.light(sphere.center);

        this.camera.near = 0.01 * this.size;
        this.camera.far = 60 * this.size;
        this.controls.minDistance = 0.15 * this.size;
        this.controls.maxDistance = 12 * this.size;
        this.controls.target.copy(sphere.center);
        this.look("corner");
    }

    // Where terrain ends there is nothing, and no floor either.
    showFloor(isThere: boolean): void {
        this.floor.visible = isThere;
    }

    // The light goes where the robot goes, so that its shadow does not end.
    light(center: three.Vector3): void {
        this.sun.target.position.copy(center);
        this.sun.position.copy(center).add(new three.Vector3(1.4, -1.1, 2.9).multiplyScalar(this.size));
        this.request();
    }

    // From a side; `part`: as if the robot were that much smaller.
    look(side: Side, part = 1): void {
        const directions: Record<Side, [number, number, number]> = {
            corner: this.home,
            front: [1, 0, 0.02],
            side: [0, -1, 0.02],
            top: [0.001, 0, 1],
        };
        const narrow = Math.min(1, this.camera.aspect);
        const free = Math.max(0.5, 1 - this.coveredAbove / Math.max(1, this.element.clientHeight));
        const distance = (0.52 * part * this.size) / Math.sin((this.camera.fov * Math.PI) / 360) / Math.min(narrow, free);
        this.camera.position.copy(this.controls.target).addScaledVector(new three.Vector3(...directions[side]).normalize(), distance);
        this.camera.updateProjectionMatrix();
        this.controls.update();
        this.request();
    }

    // Goes back, as far as it must, until all of the box is in the picture, and not behind what lies over it.
    include(box: three.Box3): void {
        const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => new three.Vector3(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z));
        const edge = 0.94; // of 1: not at the very edge
        const right = edge - (2 * this.covered) / Math.max(1, this.element.clientWidth);
        const above = edge - (2 * this.coveredAbove) / Math.max(1, this.element.clientHeight);
        const isSeen = (corner: three.Vector3) => {
            const { x, y, z } = corner.clone().project(this.camera);
            return z < 1 && x > -edge && x < right && y > -edge && y < above;
        };
        const outwards = this.camera.position.clone().sub(this.controls.target).multiplyScalar(0.05);
        for (let k = 0; k < 60; ++k) {
            this.controls.update();
            this.camera.updateMatrixWorld();
            if (corners.every(isSeen)) break;
            this.camera.position.add(outwards);
        }
        this.request();
    }

    // Moves camera and target together.
    moveBy(step: three.Vector3): void {
        this.controls.target.add(step);
        this.camera.position.add(step);
    }

    dark(isDark: boolean): void {
        this.grid.uniforms.color.value.set(isDark ? 0x93a4bd : 0x46566e);
        this.grid.uniforms.strength.value = isDark ? 0.34 : 0.38;
        this.shadow.opacity = isDark ? 0.5 : 0.27;
        this.scene.environmentIntensity = isDark ? 0.42 : 0.55;
        this.sun.intensity = isDark ? 2.2 : 2.6;
        this.request();
    }

    resize(): void {
        const { clientWidth, clientHeight } = this.element;
        if (clientWidth === 0 || clientHeight === 0) return;
        this.renderer.setSize(clientWidth, clientHeight, false);
        this.camera.aspect = clientWidth / clientHeight;
        // What lies over the picture on the right moves its middle to the left, and what lies above moves it down.
        if (this.covered > 0 || this.coveredAbove > 0) this.camera.setViewOffset(clientWidth, clientHeight, this.covered / 2, -this.coveredAbove / 2, clientWidth, clientHeight);
        else this.camera.clearViewOffset();
        this.camera.updateProjectionMatrix();
        this.request();
    }

    // How many pixels on the right are covered, and above.
    cover(pixels: number, above = 0): void {
        this.covered = pixels;
        this.coveredAbove = above;
        this.resize();
    }

    // Asks for a frame: nothing is drawn while nothing changes.
    request(): void {
        this.wanted = true;
    }

    draw(): boolean {
        this.controls.update();
        if (!this.wanted) return false;
        this.wanted = false;
        const begin = performance.now();
        this.renderer.render(this.scene, this.camera);
        const took = performance.now() - begin;
        this.frameMilliseconds = this.frameMilliseconds === 0 ? took : 0.9 * this.frameMilliseconds + 0.1 * took;
        return true;
    }
}
