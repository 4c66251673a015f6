import { recordAudit } from "#audit/index.ts";
import { type Ctx, counted, countSealed, type Db, ownMerchantId, resealColumn, type SealedColumn } from "#platform/index.ts";
import { type KeyFollower, silenceMs } from "./follow-master-keys.ts";
import { storeDerivedKeys } from "./keep-derived-keys.ts";
import { adoptKeyState, currentIn, type LiveKeys, readKeyState } from "./live-keys.ts";
import { sealedColumns } from "./sealed-columns.ts";
import { type KeyHolder, listHolders, lockMasterKeys, updateCurrent } from "./sql.ts";

export type RotationCtx = Omit<Ctx, "masterKeys"> & { masterKeys: LiveKeys };

export interface Rotation {
  /** Receives the progress, one line at a time. */
  say(line: string): void;
  /** Waits a moment before the next check. */
  pause(): Promise<void>;
  /** Registers this process among those that have keys, so that a rotation to another key waits for it. */
  join?(): Promise<KeyFollower>;
}

export interface Rotated {
  current: number;
  /** How many values were re-sealed. */
  done: number;
  /** Values that can't be opened, by column and row: they remain unchanged. */
  closed: string[];
  /** Master keys that are no longer needed. */
  removable: number[];
  /** Newer keys that were added but that this process doesn't have. */
  absent: number[];
}

/**
 * Makes this process's newest master key the current one, and re-seals everything with it while others serve. Completed work is permanent:
 * the next run continues an interrupted one. Throws a readable error while a running process lacks the key.
 */
export async function rotateMasterKeys(ctx: RotationCtx, rotation: Rotation): Promise<Rotated> {
  const target = Math.max(...ctx.masterKeys.keys.keys());
  await waitForKey(ctx, target, rotation);
  const before = await makeCurrent(ctx, target);
  adoptKeyState(ctx.masterKeys, await readKeyState(ctx.db));
  if (before !== target) rotation.say(`Master key ${target} is current: it encrypts new secrets.`);
  // Registered only from here on, when it seals with the new key: a killed run doesn't block the next one.
  const self = await rotation.join?.();
  const { done, closed } = await resealUntilNoneIsLeft(ctx, { target, own: self?.id }, rotation).finally(() => self?.stop());
  const { rows } = await readKeyState(ctx.db);
  const absent = rows.filter((row) => row.number > target && row.current_since === null).map(({ number }) => number);
  return { current: target, done, closed, removable: await listRemovable(ctx, target), absent };
}

interface Own {
  target: number;
  own: string | undefined;
}

async function resealUntilNoneIsLeft(
  ctx: RotationCtx,
  { target, own }: Own,
  rotation: Rotation,
): Promise<Pick<Rotated, "done" | "closed">> {
  const { done } = await resealAll(ctx, target, rotation);
  await waitForOthers(ctx, { own, isReady: ({ sealing }) => sealing === target, doing: "encrypt with it too" }, rotation);
  // What others sealed before they switched.
  const rest = await resealRest(ctx, target, rotation);
  return { done: done + rest.done, closed: rest.closed };
}

/** Goes through all columns until only values that can't be opened are left; waits for locked rows. */
export async function resealRest(ctx: RotationCtx, target: number, rotation: Rotation): Promise<Pick<Rotated, "done" | "closed">> {
  let done = 0;
  for (;;) {
    const walked = await resealAll(ctx, target, rotation);
    done += walked.done;
    if ((await countLeft(ctx)) <= walked.closed.length) return { done, closed: walked.closed };
    if (walked.done === 0) await rotation.pause();
  }
}

/** Returns which key was current before. Keys derived from all of this process's are stored in the same transaction. */
function makeCurrent(ctx: RotationCtx, target: number): Promise<number | null> {
  return ctx.transact(async (tx) => {
    await lockMasterKeys(tx);
    const state = await readKeyState(tx);
    const before = currentIn(state);
    if (state.rows.some((row) => row.number === target && row.revoked_at !== null))
      throw new Error(`Master key ${target} was revoked. Add a new one first.`);
    if (before !== target) {
      const lacking = await listLacking(tx, target);
      if (lacking.length > 0) throw new Error(lackingSentence(target, lacking));
      await updateCurrent(tx, { number: target, first: false });
      const detail = { from: before, to: target };
      await recordAudit(tx, {
        ctx,
        tenant: null,
        merchant_id: ownMerchantId,
        action: "master_key.rotated",
        object_type: "master_key",
        object_id: String(target),
        detail,
      });
    }
    // What was signed with keys derived from older master keys must still verify when those are gone.
    const own = [...ctx.masterKeys.keys.keys()];
    await storeDerivedKeys(tx, { ...ctx.masterKeys, current: target }, { state, numbers: own });
    return before;
  });
}

async function listLacking(db: Db, target: number): Promise<KeyHolder[]> {
  return (await listHolders(db, silenceMs)).filter(({ numbers }) => !numbers.includes(target));
}

/** Other processes read a key that was just added at their next check. */
async function waitForKey(ctx: RotationCtx, target: number, { pause }: Rotation): Promise<void> {
  for (let tries = 0; tries < 10 && (await listLacking(ctx.db, target)).length > 0; tries += 1) await pause();
}

function lackingSentence(target: number, lacking: readonly KeyHolder[]): string {
  const lines = lacking.map(({ name, numbers }) => `  ${name} has ${numbers.join(", ")}`);
  return `Master key ${target} isn't in every running process yet, so nothing was changed. Add it to all of them, then rotate again:\n${lines.join("\n")}`;
}

/** Walks all columns once. */
async function resealAll(ctx: RotationCtx, target: number, { say }: Rotation): Promise<Pick<Rotated, "done" | "closed">> {
  const sum = { done: 0, closed: [] as string[] };
  for (const column of sealedColumns) {
    const total = await countOthers(ctx, column);
    if (total === 0) continue;
    let reported = 0;
    const so = await resealColumn(ctx, column, async ({ done }) => {
      await refuseWhenOvertaken(ctx, target);
      if (done > reported) say(`  ${column.name}: ${done} of ${total}`);
      reported = done;
    });
    sum.done += so.done;
    sum.closed.push(...so.closed.map((row) => `${column.name} of ${row}`));
  }
  return sum;
}

/** A rotation to another key that started in the meantime does the rest. */
async function refuseWhenOvertaken(ctx: RotationCtx, target: number): Promise<void> {
  const current = currentIn(await readKeyState(ctx.db));
  if (current !== target)
    throw new Error(`Another rotation has since made master key ${current} current. It also re-encrypts what this one hasn't reached.`);
}

/** What to wait for in running processes, and the words for it. */
interface Change {
  /** The id of this process itself, if it's registered. */
  own: string | undefined;
  isReady(holder: KeyHolder): boolean;
  doing: string;
}

/** Waits until every other live process has switched, and has written what it sealed before. */
export async function waitForOthers(ctx: RotationCtx, { own, isReady, doing }: Change, { say, pause }: Rotation): Promise<void> {
  const target = ctx.masterKeys.current;
  const list = async () => (await listHolders(ctx.db, silenceMs)).filter((holder) => holder.id !== own && !isReady(holder));
  let reported = 0;
  for (let waiting = await list(); waiting.length > 0; waiting = await list()) {
    if (waiting.length !== reported)
      say(`Waiting for ${counted(waiting.length, "running process", "running processes")} to ${doing}: ${namesOf(waiting)}`);
    reported = waiting.length;
    await pause();
    await refuseWhenOvertaken(ctx, target);
  }
}

const namesOf = (holders: readonly KeyHolder[]) => holders.map(({ name }) => name).join(", ");

async function countOthers(ctx: RotationCtx, column: SealedColumn): Promise<number> {
  const target = column.target(ctx.masterKeys);
  return (await countSealed(ctx.db, column)).filter(({ number }) => number !== target).reduce((sum, { count }) => sum + count, 0);
}

async function countLeft(ctx: RotationCtx): Promise<number> {
  let left = 0;
  for (const column of sealedColumns) left += await countOthers(ctx, column);
  return left;
}

/** Keys of this process that seal nothing and whose derived keys are stored. */
async function listRemovable(ctx: RotationCtx, target: number): Promise<number[]> {
  const sealing = new Set<number>();
  for (const column of sealedColumns.filter(({ marks }) => marks[0] === "v1."))
    for (const { number } of await countSealed(ctx.db, column)) sealing.add(number);
  return [...ctx.masterKeys.keys.keys()].filter((number) => number !== target && !sealing.has(number)).sort((left, right) => left - right);
}
