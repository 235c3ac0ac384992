// What the robot could run into, besides the ground: shapes and terrain.
import * as three from "three";
import type { Terrain, WorldData } from "./data";
import { Paint, shapeObject } from "./robot";

const kStone = 0xd3d8de;
const kStoneInTheDark = 0x566171;
const kEdge = 0x5c6878;
const kMostLines = 40_000; // cells, before their lines would be grey all over

export class WorldView {
    readonly root = new three.Group(); // in the world
    private readonly ray = new three.Raycaster();
    private readonly stone: three.MeshStandardMaterial;

    constructor(world: WorldData) {
        const paint = new Paint();
        this.stone = paint.material(kStone, 0.9) as three.MeshStandardMaterial;
        for (const shape of world.shapes) {
            const object = shape.plane ? slope(shape.plane, paint) : shapeObject(shape, world.meshes, paint, shape.rgba ? undefined : kStone, 0.9);
            if (!object) continue;
            if (shape.box) object.add(edges(shape.box));
            if (shape.plane) {
                const holder = new three.Group();
                holder.position.fromArray(shape.pose);
                holder.quaternion.fromArray(shape.pose, 3);
                holder.add(object);
                this.root.add(holder);
            } else this.root.add(object);
        }
        for (const terrain of world.terrain) this.root.add(surface(terrain, paint));
        this.root.traverse((object) => (object.castShadow = object.receiveShadow = object instanceof three.Mesh));
    }

    dark(isDark: boolean): void {
        this.stone.color.set(isDark ? kStoneInTheDark : kStone);
    }

    // Whether it stands between two points of the scene.
    hides(point: three.Vector3, from: three.Vector3): boolean {
        const way = from.clone().sub(point);
        this.root.updateWorldMatrix(true, true);
        this.ray.set(point, way.clone().normalize());
        return this.ray.intersectObject(this.root, true).some(({ object, distance }) => object instanceof three.Mesh && distance < way.length());
    }

    // The lowest point along up, of what has an end.
    lowest(): number {
        const box = new three.Box3().setFromObject(this.root);
        return box.isEmpty() ? 0 : box.min.z;
    }

    // How far below the point it stands; nothing where nothing is there. In the world, as is `up`.
    below(point: three.Vector3, up: three.Vector3): number | undefined {
        this.root.updateWorldMatrix(true, true);
        const turn = this.root.getWorldQuaternion(new three.Quaternion());
        this.ray.set(this.root.localToWorld(point.clone()), up.clone().negate().applyQuaternion(turn));
        return this.ray.intersectObject(this.root, true).find(({ object }) => object instanceof three.Mesh)?.distance;
    }
}

// Where the eye sees where one step ends and the next begins.
function edges(box: readonly number[]): three.Object3D {
    const [x, y, z] = box;
    return new three.LineSegments(new three.EdgesGeometry(new three.BoxGeometry(x, y, z)), new three.LineBasicMaterial({ color: kEdge, transparent: true, opacity: 0.5 }));
}

// A plane that is not the floor: as far as one sees.
function slope(normal: readonly number[], paint: Paint): three.Object3D {
    const mesh = new three.Mesh(new three.PlaneGeometry(40, 40), paint.material(kStone, 0.9));
    mesh.quaternion.setFromUnitVectors(new three.Vector3(0, 0, 1), new three.Vector3(...normal).normalize());
    return mesh;
}

// Two triangles a cell, cut as the simulation cuts them: from (i, j) to (i + 1, j + 1).
function surface({ origin, spacing, points, heights }: Terrain, paint: Paint): three.Object3D {
    const [nx, ny] = points;
    const positions = new Float32Array(3 * nx * ny);
    for (let j = 0; j < ny; ++j) {
        for (let i = 0; i < nx; ++i) {
            const k = j * nx + i;
            positions.set([origin[0] + i * spacing[0], origin[1] + j * spacing[1], origin[2] + heights[k]], 3 * k);
        }
    }
    const corners = new Uint32Array(6 * (nx - 1) * (ny - 1));
    const lines: number[] = [];
    for (let j = 0; j < ny; ++j) {
        for (let i = 0; i < nx; ++i) {
            const k = j * nx + i;
            if (i + 1 < nx) lines.push(k, k + 1);
            if (j + 1 < ny) lines.push(k, k + nx);
            if (i + 1 < nx && j + 1 < ny) corners.set([k, k + 1, k + nx + 1, k, k + nx + 1, k + nx], 6 * (j * (nx - 1) + i));
        }
    }
    const geometry = new three.BufferGeometry();
    const attribute = new three.BufferAttribute(positions, 3);
    geometry.setAttribute("position", attribute);
    geometry.setIndex(new three.BufferAttribute(corners, 1));
    geometry.computeVertexNormals();
    const mesh = new three.Mesh(geometry, paint.material(kStone, 0.9));
    if (nx * ny <= kMostLines) {
        const grid = new three.BufferGeometry();
        grid.setAttribute("position", attribute);
        grid.setIndex(lines);
        mesh.add(new three.LineSegments(grid, new three.LineBasicMaterial({ color: kEdge, transparent: true, opacity: 0.35 })));
    }
    return mesh;
}
