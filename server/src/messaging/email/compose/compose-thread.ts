import { parentPort } from "node:worker_threads";
import { textOfHtml } from "../../html/text-of-html.ts";
import { trackHtml } from "../../tracking/track-html.ts";
import type { Composed, ComposeJob } from "./compose-apart.ts";
import { composeEmail } from "./compose-email.ts";

/** The program of the threads that compose messages, each one after the other. */
parentPort?.on("message", (job: ComposeJob) => {
  compose(job).then(
    (result) => answer({ result }, result !== null && result.byteLength === result.buffer.byteLength ? [result.buffer as ArrayBuffer] : []),
    (error: unknown) => answer({ fault: String(error).slice(0, 300) }),
  );
});

async function compose({ tracking, ...parts }: ComposeJob): Promise<Composed> {
  // What came over from the other thread is plain bytes there.
  const attachments = parts.attachments.map((one) => ({ ...one, content: Buffer.from(one.content.buffer, one.content.byteOffset, one.content.byteLength) }));
  const { html } = parts;
  if (html === null) return composeEmail({ ...parts, attachments });
  // Addresses that are tracked are no reading: a text made here shows where its links lead.
  const text = parts.text ?? textOfHtml(html);
  const shown = tracking === null ? html : trackHtml(html, tracking);
  return text === null || shown === null ? null : composeEmail({ ...parts, html: shown, text, attachments });
}

function answer(told: object, handedOver: ArrayBuffer[] = []): void {
  parentPort?.postMessage(told, handedOver);
}
