// What scripts/wasm makes; viewer/build.mjs finds it.
declare module "plucker-wasm" {
    export default function createPlucker(options: { wasmBinary: Uint8Array }): Promise<unknown>;
}
