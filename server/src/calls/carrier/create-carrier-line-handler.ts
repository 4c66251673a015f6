import { type Ctx, hint, onHint, open, storable } from "#platform/index.ts";
import { documentPlace, soundPlace } from "../sealed.sql.ts";
import { type After, realTime } from "../timers.ts";
import type { CarrierLineHandler, LineKey } from "./carrier-lines.ts";
import { knowsToken } from "./line-token.ts";
import { findShown, findSound, insertReport } from "./sql.ts";

/** How long a carrier's request waits for instructions, well within the carrier's timeout; and how often to check in the meantime. */
const [holdMs, everyMs] = [5_000, 150];

/** Receives carriers' requests and reports about calls in a process that serves, whichever process runs them. */
export function createCarrierLineHandler(ctx: Ctx, after: After = realTime): CarrierLineHandler {
  return {
    knows: (line, token) => knowsToken(ctx, line, token),
    report: (line, report) =>
      ctx.transact(async (tx) => {
        await insertReport(tx, line, storable(report));
        hint(tx, "call_line_reports");
      }),
    document: (line, number) => awaitDocument(ctx, { line, number, after }),
    async sound(line, number) {
      const sealed = await findSound(ctx.db, line, number);
      return sealed === null ? null : open(ctx.masterKeys, soundPlace(line.call_id), sealed);
    },
  };
}

async function awaitDocument(
  ctx: Ctx,
  { line, number, after }: { line: LineKey; number: number; after: After },
): ReturnType<CarrierLineHandler["document"]> {
  let isLate = false;
  let wake = () => {};
  const cancel = after(holdMs, () => {
    isLate = true;
    wake();
  });
  const deafen = onHint(ctx.db, "call_lines", () => wake());
  try {
    for (;;) {
      const shown = await findShown(ctx.db, line);
      // A lower number is an old request that was repeated.
      if (shown === null || shown.number > number) return "over";
      if (shown.number === number && shown.document !== null)
        return { text: open(ctx.masterKeys, documentPlace(line.call_id), shown.document).toString("utf8") };
      if (isLate) return "waiting";
      await new Promise<void>((resolve) => {
        const stop = after(everyMs, resolve);
        wake = () => {
          stop();
          resolve();
        };
      });
    }
  } finally {
    cancel();
    deafen();
  }
}
