import { type AnyText, createThread } from "#platform/index.ts";
import { walkHtml } from "./walk-html.ts";

/** The maximum size of a message's HTML, in bytes. */
export const htmlBytesMax = 2_000_000;

/** From this length on, reading takes long enough to be done in another thread. */
const apartLength = 16 * 1024;

const readApart = createThread<AnyText, boolean>({ program: new URL("./nesting-thread.ts", import.meta.url), does: "reads long HTML" });

/** True if HTML is nested more deeply than allowed. Reads it once, and only up to that point. */
export async function isTooDeep(html: AnyText): Promise<boolean> {
  return typeof html === "string" && html.length <= apartLength ? !walkHtml(html, {}) : readApart(html);
}
