import { expect } from "vitest";
import { anchorFile } from "#app/runtime/index.ts";
import { anchorAudit, chainAudit } from "#audit/index.ts";
import { eventually } from "#test/support/time/eventually.ts";
import type { Order, walWorld } from "./wal-world.ts";

type World = Awaited<ReturnType<typeof walWorld>>;

/** What a server did while its write-ahead log was shipped, across a kill and a restart. */
interface Resumed {
  backup: string;
  /** A moment after the backup and the kill. */
  until: string;
  /** The orders before that moment. Another one follows it. */
  ids: string[];
  /** When the last of them was created. */
  lastBefore: string;
}

/** Takes a backup and orders on a server, kills it with its database, and takes more orders. */
export async function liveAcrossKill({ dataDir, order, serve, shipped, ...world }: World): Promise<Resumed> {
  const first = await serve(dataDir, { BACKUP_WAL: "on" });
  const backup = await world.backUp();
  const before = await order(first);
  await shipped();
  expect(await world.metricsOf(first)).toMatch(/^tillpost_backup_wal_behind_bytes \d/m);
  first.killEverything();
  await first.ended;
  const second = await world.open(dataDir, { BACKUP_WAL: "on" });
  const { ctx } = second.runtime;
  while ((await chainAudit(ctx)) > 0);
  expect(await anchorAudit(ctx, anchorFile(dataDir)), "the backup's anchors end before this one").toBe(true);
  const later: Order[] = [await second.order()];
  let last = later[0];
  let answered = new Date().toISOString();
  // The time between them is chosen to the millisecond, and an order's COMMIT comes later than the time that it is created at.
  await eventually("an order of a later millisecond than the response before it", async () => {
    last = await second.order();
    const isLater = last.created_at > answered;
    if (!isLater) later.push(last);
    answered = new Date().toISOString();
    return isLater;
  });
  await second.close();
  return {
    backup,
    until: String(last?.created_at),
    ids: [before, ...later].map(({ id }) => id),
    lastBefore: String(later.at(-1)?.created_at),
  };
}
