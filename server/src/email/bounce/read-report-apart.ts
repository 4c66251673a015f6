import { createThread, JobOverLimit } from "#platform/index.ts";
import type { Report } from "./read-report.ts";

/** Genuine reports take a few milliseconds. */
const limitMs = 5_000;

const read = createThread<Uint8Array, Report>({
  program: new URL("./report-thread.ts", import.meta.url),
  does: "reads mail that came back",
  limitMs,
  limitMb: 512,
});

/** Like `readReport`, in another thread, so that a hostile email can't delay others. One that takes too long is `other`. */
export async function readReportApart(raw: Buffer): Promise<Report> {
  return read(raw).catch((error: unknown): Report => {
    if (error instanceof JobOverLimit) return { kind: "other", message_id: null, message: null };
    throw error;
  });
}
