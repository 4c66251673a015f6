import { type PictureJob, readPicture, TooManyPixels } from "./reencode-picture.ts";

/**
 * The main file of the picture process: strangers' pictures are decoded here, away from requests and secrets. It ends with the server
 * (Ctrl-C in a terminal reaches both, and the server may have uploads to finish), and whatever an image does to it, the server continues.
 */
process.on("SIGINT", () => {});
process.on("disconnect", () => process.exit(0));
process.on("message", (message: { number: number; job: PictureJob }) => {
  readPicture(message.job)
    .then(
      (read) => answer({ number: message.number, read }),
      (error: unknown) =>
        answer({
          number: message.number,
          fault: String(error).slice(0, 300),
          pixels: error instanceof TooManyPixels ? error.pixels : null,
        }),
    )
    .finally(tidy);
});

function answer(message: object): void {
  process.send?.(message);
}

const outsideMax = 4 * 1024 * 1024;

/** Pixels are outside of the JavaScript heap, so their buffers alone wouldn't trigger the garbage collector. */
function tidy(): void {
  if (process.memoryUsage().arrayBuffers > outsideMax) globalThis.gc?.();
}
