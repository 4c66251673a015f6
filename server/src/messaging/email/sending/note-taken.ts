import { type Batch, type Ctx, createBatch, type Db } from "#platform/index.ts";
import { updateAttempts } from "./attempts.sql.ts";
import { updatePlanning } from "./claim.sql.ts";
import { attemptOf, type Ended } from "./end-sends.ts";

const batches = new WeakMap<Db, Batch<Ended, true>>();

/**
 * Writes down at once that a server took a message, together with whatever else was taken at the moment. All that follows from it is written in larger
 * shares; should this process be lost before, the message is not sent a second time.
 */
export async function noteTaken(ctx: Ctx, ended: Ended): Promise<void> {
  const batch = batches.get(ctx.db) ?? batchOn(ctx);
  batches.set(ctx.db, batch);
  await batch.add(ended).catch((error: unknown) => ctx.log.warn({ err: error }, "a taken message could not be noted; its ending follows"));
}

function batchOn(ctx: Ctx): Batch<Ended, true> {
  return createBatch<Ended, true>(ctx, {
    max: 200,
    lanes: 1,
    conflictKeys: () => [],
    sortKey: ({ recipient }) => recipient.id,
    write: async (tx, members) => {
      await Promise.all([updatePlanning(tx), updateAttempts(tx, members.map(attemptOf), ctx.now())]);
      return members.map(() => true);
    },
  });
}
