// A simulation that keeps up with time: the library's simulator, so many steps a frame.
import type { Controller, Library, SimulationState, SimulationWishes } from "./library";

export const kStep = 1e-3;
const kLongestFrame = 0.05; // seconds: after a pause of the page itself it goes on where it was
const kBudget = 0.012; // seconds of each frame that steps may take

export interface Settings {
    ground: boolean;
    friction: number;
    controller: Controller;
    gravity: number[];
}

export class Running {
    isRunning = false;
    speed = 1;
    rate = 1; // how fast its time goes beside ours, on average
    notes: string[] = [];
    private isBegun = false;
    private debt = 0; // seconds that are still to be simulated
    private cost = 1e-4; // seconds a step, on average

    constructor(private readonly library: Library, private readonly nq: number, private readonly nv: number, private readonly bodies: number) {}

    // The next step begins a simulation anew: the robot, or what acts on it, was changed.
    change(): void {
        this.isBegun = false;
    }

    // Begins where the robot is told to be. Throws what the library says.
    begin(wishes: SimulationWishes): SimulationState {
        this.notes = this.library.simulate(wishes);
        this.isBegun = true;
        return this.state();
    }

    // Goes on for so many seconds; from `wishes` where something was changed.
    advance(seconds: number, wishes: () => SimulationWishes): SimulationState {
        if (!this.isBegun) this.begin(wishes());
        const asked = Math.min(seconds, kLongestFrame) * this.speed;
        this.debt += asked;
        const most = Math.max(1, Math.floor(kBudget / this.cost));
        const steps = Math.min(Math.floor(this.debt / kStep), most);
        const begin = performance.now();
        if (steps > 0) this.step(steps);
        const took = (performance.now() - begin) / 1000;
        if (steps > 0) this.cost = 0.9 * this.cost + (0.1 * took) / steps;
        // What could not be done is not made up for: time goes slower.
        this.debt = steps === most ? 0 : this.debt - steps * kStep;
        if (asked > 0) this.rate = 0.95 * this.rate + (0.05 * steps * kStep) / asked;
        return this.state();
    }

    step(steps: number): void {
        this.library.advance(steps);
    }

    // The mouse pulls, or lets go.
    pull(body: number, point?: readonly number[], to?: readonly number[]): void {
        if (this.isBegun) this.library.pull(body, point, to);
    }
    aim(along: number[]): void {
        if (this.isBegun) this.library.aim(along);
    }

    state(): SimulationState {
        return this.library.state(this.nq, this.nv, this.bodies);
    }
}
