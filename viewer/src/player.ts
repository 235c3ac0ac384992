// Time as the viewer has it: playing, paused, faster, slower.
export const kSpeeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];

export class Player {
    time: number;
    playing = false;
    speed = 1;
    onChange: () => void = () => {};

    constructor(readonly begin: number, readonly end: number) {
        this.time = begin;
    }

    get duration(): number {
        return this.end - this.begin;
    }

    // Called once a frame. At the end it begins anew.
    advance(seconds: number): boolean {
        if (!this.playing || this.duration <= 0) return false;
        // After a pause of the page itself, as in a tab behind, it goes on where it was.
        this.time += this.speed * Math.min(seconds, 0.25);
        if (this.time > this.end) this.time = this.begin + ((this.time - this.begin) % this.duration);
        this.onChange();
        return true;
    }

    set(time: number): void {
        this.time = Math.min(this.end, Math.max(this.begin, time));
        this.onChange();
    }

    toggle(): void {
        this.playing = !this.playing && this.duration > 0;
        this.onChange();
    }

    faster(steps: number): void {
        const at = kSpeeds.indexOf(this.speed);
        this.speed = kSpeeds[Math.min(kSpeeds.length - 1, Math.max(0, at + steps))];
        this.onChange();
    }
}
