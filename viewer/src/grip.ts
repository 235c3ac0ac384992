// The mouse's hold on a link: a rubber band from the point that is held to where it is pulled.
import * as three from "three";

const kColor = 0xd6336c;

export class Grip {
    readonly root = new three.Group();
    private readonly band: three.Mesh;
    private readonly balls: three.Mesh[];

    constructor(size: number) {
        const material = new three.MeshStandardMaterial({ color: kColor, roughness: 0.4, emissive: kColor, emissiveIntensity: 0.25 });
        this.band = new three.Mesh(new three.CylinderGeometry(1, 1, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5), material);
        this.balls = [0, 1].map(() => new three.Mesh(new three.SphereGeometry(0.011 * size, 24, 16), material));
        this.band.scale.setScalar(0.004 * size);
        this.root.add(this.band, ...this.balls);
        this.hide();
    }

    show(from: three.Vector3, to: three.Vector3): void {
        this.root.visible = true;
        this.balls[0].position.copy(from);
        this.balls[1].position.copy(to);
        const along = to.clone().sub(from);
        const length = along.length();
        this.band.visible = length > 1e-6;
        if (!this.band.visible) return;
        this.band.position.copy(from);
        this.band.quaternion.setFromUnitVectors(new three.Vector3(0, 0, 1), along.divideScalar(length));
        this.band.scale.z = length;
    }

    hide(): void {
        this.root.visible = false;
    }
}
