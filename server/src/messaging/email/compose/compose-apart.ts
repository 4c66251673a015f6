import { createThread } from "#platform/index.ts";
import type { ComposeParts } from "./compose-email.ts";

const compose = createThread<ComposeParts, Uint8Array>({
  program: new URL("./compose-thread.ts", import.meta.url),
  does: "composes large messages",
  handOver: wholeBuffersOf,
});

/**
 * As `composeEmail`, in a thread beside this one: encoding and hashing 25 MB takes most of a second, in which this process would answer nobody. One message
 * at a time. Takes the attachments' bytes over: they are empty here afterwards.
 */
export async function composeApart(parts: ComposeParts): Promise<Buffer> {
  const { buffer, byteOffset, byteLength } = await compose(parts);
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

/** Memory that can be handed over; a part of a larger one, which others use as well, is copied. */
function wholeBuffersOf({ attachments }: ComposeParts): ArrayBuffer[] {
  const whole = attachments.map(({ content }) => content).filter(({ buffer, byteLength }) => byteLength === buffer.byteLength);
  return [...new Set(whole.map(({ buffer }) => buffer as ArrayBuffer))];
}
