import { asBuffer, stringOf } from "#platform/index.ts";
import { textOfHtml } from "../html/text-of-html.ts";
import { trackHtml } from "../tracking/track-html.ts";
import type { Composed, ComposeJob } from "./compose-apart.ts";
import { composeEmail } from "./compose-email.ts";

/** Composes a message from what a thread is given: inserts its links and creates its text. null if its HTML is nested too deeply. */
export async function composeJob({ tracking, ...job }: ComposeJob): Promise<Composed> {
  const attachments = job.attachments.map((one) => ({ ...one, content: asBuffer(one.content) }));
  const [html, given] = [shownOf(job.html), shownOf(job.text)];
  const parts = { ...job, attachments };
  if (html === null) return composeEmail({ ...parts, html, text: given });
  // The text is made before links are tracked, so that it shows where its links really lead.
  const text = given ?? textOfHtml(html);
  const shown = tracking === null ? html : trackHtml(html, tracking);
  return text === null || shown === null ? null : composeEmail({ ...parts, html: shown, text });
}

/** An empty text counts as none: with a tracking pixel, it would be shown instead of the other one. */
function shownOf(text: ComposeJob["html"]): string | null {
  return text === null ? null : stringOf(text) || null;
}
