import { parentPort } from "node:worker_threads";
import { type ComposeParts, composeEmail } from "./compose-email.ts";

/** The program of the thread that composes large messages, one after the other. */
parentPort?.on("message", (parts: ComposeParts) => {
  // What came over from the other thread is plain bytes there.
  const attachments = parts.attachments.map((one) => ({ ...one, content: Buffer.from(one.content.buffer, one.content.byteOffset, one.content.byteLength) }));
  composeEmail({ ...parts, attachments }).then(
    (raw) => answer({ result: raw }, raw.byteLength === raw.buffer.byteLength ? [raw.buffer as ArrayBuffer] : []),
    (error: unknown) => answer({ fault: String(error).slice(0, 300) }),
  );
});

function answer(told: object, handedOver: ArrayBuffer[] = []): void {
  parentPort?.postMessage(told, handedOver);
}
