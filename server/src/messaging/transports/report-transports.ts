import { type Ctx, createLeaseNames } from "#platform/index.ts";
import type { ChannelTask } from "../channel.ts";
import type { TransportBoard } from "./create-transport-board.ts";
import { deleteOldMinutes, deleteOldReports, insertMinutes, insertReports, updateStopped } from "./sql.ts";

/** Reports the state of this process's transports to the others every few seconds, and once more at shutdown. */
export function reportTransportsTask(board: TransportBoard): ChannelTask {
  const names = createLeaseNames();
  const report = (ctx: Ctx) => reportTransports(ctx, { board, process: names.holder(ctx) });
  return {
    name: "report_transports",
    everyMs: 4_000,
    run: report,
    async finish(ctx) {
      await report(ctx);
      await ctx.transact((tx) => updateStopped(tx, names.holder(ctx)));
    },
  };
}

/** Stores the state of a process's transports. Returns 0: the next report is due after its interval. */
async function reportTransports(ctx: Ctx, { board, process }: { board: TransportBoard; process: string }): Promise<number> {
  const reports = board.take();
  if (reports.length === 0) return 0;
  try {
    await ctx.transact(async (tx) => {
      await insertReports(tx, process, reports);
      await insertMinutes(tx, reports);
      await deleteOldReports(tx);
      await deleteOldMinutes(tx);
    });
  } catch (error) {
    board.restore(reports);
    throw error;
  }
  return 0;
}
