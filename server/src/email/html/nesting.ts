import { type AnyText, createThread } from "#platform/index.ts";
import { walkHtml } from "./walk-html.ts";

/** The most HTML that a message may have. */
export const htmlBytesMax = 2_000_000;

/** A longer text takes long enough to be read beside this thread. */
const apartLength = 16 * 1024;

const readApart = createThread<AnyText, boolean>({ program: new URL("./nesting-thread.ts", import.meta.url), does: "reads long HTML" });

/** Whether HTML is nested more deeply than may be, found out in one reading that ends there. */
export async function isTooDeep(html: AnyText): Promise<boolean> {
  return typeof html === "string" && html.length <= apartLength ? !walkHtml(html, {}) : readApart(html);
}
