// Many arrows in two draw calls, and cones in one: forces come and go at each instant.
import * as three from "three";

const kForward = new three.Vector3(0, 0, 1);

// Instances of one geometry that is a unit long along z.
class Instances {
    readonly mesh: three.InstancedMesh;
    private used = 0;
    private readonly matrix = new three.Matrix4();
    private readonly quaternion = new three.Quaternion();
    private readonly scale = new three.Vector3();

    constructor(geometry: three.BufferGeometry, material: three.Material, capacity: number) {
        this.mesh = new three.InstancedMesh(geometry, material, capacity);
        this.mesh.frustumCulled = false;
        this.mesh.count = 0;
        this.mesh.setColorAt(0, new three.Color());
    }
    clear(): void {
        this.used = 0;
        this.mesh.count = 0;
    }
    add(from: three.Vector3, direction: three.Vector3, width: number, length: number, color: three.Color): void {
        if (this.used >= this.mesh.instanceMatrix.count) return;
        this.quaternion.setFromUnitVectors(kForward, direction);
        this.matrix.compose(from, this.quaternion, this.scale.set(width, width, length));
        this.mesh.setMatrixAt(this.used, this.matrix);
        this.mesh.setColorAt(this.used, color);
        this.mesh.count = ++this.used;
        this.mesh.instanceMatrix.needsUpdate = true;
        if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
    }
}

export class Arrows {
    readonly group = new three.Group();
    private readonly shafts: Instances;
    private readonly heads: Instances;
    private readonly direction = new three.Vector3();
    private readonly neck = new three.Vector3();

    constructor(private readonly width: number, capacity = 512) {
        const material = new three.MeshStandardMaterial({ roughness: 0.5 });
        const shaft = new three.CylinderGeometry(1, 1, 1, 14).rotateX(Math.PI / 2).translate(0, 0, 0.5);
        const head = new three.ConeGeometry(2.4, 1, 18).rotateX(Math.PI / 2).translate(0, 0, 0.5);
        this.shafts = new Instances(shaft, material, capacity);
        this.heads = new Instances(head, material, capacity);
        this.group.add(this.shafts.mesh, this.heads.mesh);
    }
    clear(): void {
        this.shafts.clear();
        this.heads.clear();
    }
    add(from: three.Vector3, along: three.Vector3, color: three.Color): void {
        const length = along.length();
        const head = Math.min(6 * this.width, 0.45 * length);
        if (length < 1e-9) return;
        this.direction.copy(along).divideScalar(length);
        this.neck.copy(from).addScaledVector(this.direction, length - head);
        const width = Math.min(this.width, 0.18 * length);
        this.shafts.add(from, this.direction, width, length - head, color);
        this.heads.add(this.neck, this.direction, width, head, color);
    }
}

export class Cones {
    readonly mesh: three.InstancedMesh;
    private readonly instances: Instances;

    constructor(capacity = 512) {
        const geometry = new three.ConeGeometry(1, 1, 36, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5);
        const material = new three.MeshBasicMaterial({ transparent: true, opacity: 0.2, side: three.DoubleSide, depthWrite: false });
        this.instances = new Instances(geometry, material, capacity);
        this.mesh = this.instances.mesh;
    }
    clear(): void {
        this.instances.clear();
    }
    // From the tip, along the normal, as steep as the friction allows.
    add(tip: three.Vector3, normal: three.Vector3, friction: number, height: number, color: three.Color): void {
        this.instances.add(tip, normal, friction * height, height, color);
    }
}
