type Point = [number, number, number];

// The convex hull of points as seen from above, counter-clockwise: Andrew's monotone chain.
export function convexHull(points: Point[]): Point[] {
    const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    if (sorted.length < 3) return sorted;
    const turn = (o: Point, a: Point, b: Point) =>
        (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    const half = (list: Point[]) => {
        const chain: Point[] = [];
        for (const point of list) {
            while (chain.length >= 2 && turn(chain[chain.length - 2], chain[chain.length - 1], point) <= 0) chain.pop();
            chain.push(point);
        }
        chain.pop();
        return chain;
    };
    return [...half(sorted), ...half(sorted.reverse())];
}
