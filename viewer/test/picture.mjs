// An expression for a page: how much of the picture is solid: the robot. Floor and shadow are drawn over nothing, and see-through.
export const kSolid = `(() => {
    const { stage } = plucker.viewer;
    const gl = stage.renderer.getContext();
    stage.renderer.render(stage.scene, stage.camera);
    const { drawingBufferWidth: w, drawingBufferHeight: h } = gl;
    const pixels = new Uint8Array(4 * w * h);
    gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    let solid = 0, sum = 0;
    for (let k = 0; k < pixels.length; k += 4) {
        if (pixels[k + 3] > 250) ++solid;
        sum = (31 * sum + pixels[k] + 7 * pixels[k + 1] + 13 * pixels[k + 2] + 17 * pixels[k + 3]) % 1000000007;
    }
    return { part: solid / (w * h), sum };
})()`;
