// What the page is used for: to choose a robot, to play with it, or to learn. One at a time has the stage.
import type { Viewer } from "./viewer";

export interface Mode {
    readonly name: string;
    readonly viewer?: Viewer;
    enter(): void;
    leave(): void;
    // Once a frame, so many seconds after the last one.
    draw(seconds: number): void;
    dark(isDark: boolean): void;
    showHelp?(): void; // where there are keys to tell of
}

const kNarrow = 760; // pixels: a phone
const kChooserBelowTitle = 100; // pixels that they take above the picture there
const kChooser = 52;

// The panel lies over the picture, and on a phone below it. Returns how many pixels of the picture are covered.
export function placePanel(panel: HTMLElement, stage: HTMLElement, app: HTMLElement, width: number): number {
    const isNarrow = window.innerWidth < kNarrow;
    const place = isNarrow ? app : stage;
    if (panel.parentElement !== place) place.append(panel);
    return isNarrow ? 0 : width;
}

// How many pixels of the picture are behind the title and the chooser.
export function coveredAbove(): number {
    return window.innerWidth < kNarrow ? kChooserBelowTitle : kChooser;
}
