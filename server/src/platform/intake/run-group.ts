import { setTimeout as pause } from "node:timers/promises";
import type { Claim, Ctx } from "../context.ts";
import { databaseCode, isCommitUnknown, isUnavailable } from "../database/database.ts";
import { findNow } from "../database/now.sql.ts";
import { type ClaimOutcome, claimMany, releaseClaim } from "../idempotency/idempotency.ts";
import { updateLockWait } from "../idempotency/lock-wait.sql.ts";
import { pipeline, type Tx } from "../sql.ts";
import type { IntakeGroup, IntakeItem, IntakeRules } from "./intake-rules.ts";

type AnyItem = IntakeItem<unknown>;

interface Written<Item> {
  answers: unknown[];
  /** A row that the transaction stores; null if it stores none. */
  stored: Item | null;
}

/** How long to try to find out the outcome of a COMMIT. */
const resolveMs = 3_000;

/**
 * Writes items and their keys in one transaction and returns each result. If the response to its COMMIT is lost, it finds out whether the
 * items are stored before it responds to any caller.
 */
export async function runGroup<Item extends AnyItem>(rules: IntakeRules<Item>, group: IntakeGroup<Item>): Promise<unknown[]> {
  const { ctx } = group.items[0] as Item;
  const last: { written?: Written<Item> } = {};
  try {
    await ctx.transactUnclaimed(async (tx) => {
      last.written = await writeGroup(tx, rules, group);
    });
  } catch (error) {
    const { written } = last;
    if (!isCommitUnknown(error) || written === undefined) throw error;
    const isKnown = written.stored === null || (await isStored(ctx, rules, written.stored).catch(() => false));
    if (!isKnown) throw error;
  }
  for (const { ctx } of group.items) if (ctx.claim !== null) ctx.claim.used = true;
  return last.written?.answers ?? [];
}

/** The first result contains the time, which is part of a key's stored response; then come the keys, then the new items. */
async function writeGroup<Item extends AnyItem>(tx: Tx, rules: IntakeRules<Item>, group: IntakeGroup<Item>): Promise<Written<Item>> {
  const { items, timeoutMs } = group;
  const [, now] = await pipeline(tx, (pipe) => [updateLockWait(pipe, timeoutMs), findNow(pipe), rules.prepare?.(pipe, items) ?? []]);
  for (const item of items) rules.time(item, now);
  const outcomes = await takeKeys(tx, rules, items);
  const going = items.filter((item) => outcomes.get(item) === undefined || outcomes.get(item)?.state === "new");
  const { ctx } = items[0] as Item;
  const faults = going.length === 0 ? [] : await rules.write(tx, { ...ctx, now: () => new Date(now) }, { ...group, items: going });
  const faultOf = new Map(going.map((item, index) => [item, faults[index] ?? null]));
  for (const [item, fault] of faultOf) if (fault !== null && item.ctx.claim !== null) await releaseClaim(tx, item.ctx.claim);
  return {
    stored: going.find((item) => faultOf.get(item) === null) ?? null,
    answers: items.map((item) => {
      const outcome = outcomes.get(item);
      if (outcome?.state === "refused") return outcome.error;
      if (outcome?.state === "replay") return replayed(item, outcome.result);
      return faultOf.get(item) ?? item.answer();
    }),
  };
}

async function takeKeys<Item extends AnyItem>(
  tx: Tx,
  rules: IntakeRules<Item>,
  items: readonly Item[],
): Promise<Map<Item, ClaimOutcome | undefined>> {
  const keyed = items.flatMap((item) => (item.ctx.claim === null ? [] : [{ item, claim: item.ctx.claim }]));
  const rows = keyed.map(({ item, claim }): { claim: Claim; result: string } => ({
    claim,
    result: rules.textOf?.(item) ?? JSON.stringify(item.answer()),
  }));
  const outcomes = await claimMany(tx, rows);
  return new Map(keyed.map(({ item }, index) => [item, outcomes[index]]));
}

function replayed({ ctx }: AnyItem, result: unknown): unknown {
  if (ctx.claim !== null) ctx.claim.replayed = true;
  return result;
}

/** The state of one of its items shows that of the whole transaction. This check is rolled back, so it stores nothing itself. */
async function isStored<Item extends AnyItem>(ctx: Ctx, rules: IntakeRules<Item>, item: Item): Promise<boolean> {
  for (const end = performance.now() + resolveMs; ; await pause(100)) {
    const look: { found?: boolean } = {};
    try {
      await ctx.transactUnclaimed(async (tx) => {
        await updateLockWait(tx, resolveMs / 3);
        look.found = await rules.isStored(tx, item);
        throw new Error("this was only a look");
      });
    } catch (error) {
      if (look.found !== undefined) return look.found;
      if (performance.now() > end || !(isUnavailable(error) || databaseCode(error) === "55P03")) throw error;
    }
  }
}
