import { chainAudit, countWaiting, recordAudit } from "#audit/index.ts";
import { counted, countSealed, type Db, type Exposed, ownMerchantId } from "#platform/index.ts";
import { silenceMs } from "./follow-master-keys.ts";
import { adoptKeyState, currentIn, type KeyState, readKeyState } from "./live-keys.ts";
import { type Rotation, type RotationCtx, resealRest, waitForOthers } from "./rotate-master-keys.ts";
import { sealedColumns } from "./sealed-columns.ts";
import { deleteDerivedKeys, listHolders, lockMasterKeys, updateRevoked } from "./sql.ts";

/** How often to retry a chain that another process has locked. */
const maxPauses = 60;

/** A kind of secret that a thief of a master key may know from an old copy of the database, and how many there are. */
export interface ExposedCount extends Exposed {
  column: string;
  count: number;
}

/**
 * Invalidates what was signed under a leaked master key: sessions, links in emails and signed addresses made with keys derived from it.
 * Only for a key that no process has and that seals nothing. The next run finishes an interrupted one. Throws a readable error that lists
 * every obstacle.
 */
export async function revokeMasterKey(ctx: RotationCtx, number: number, rotation: Rotation): Promise<ExposedCount[]> {
  await ctx.transact(async (tx) => {
    await lockMasterKeys(tx);
    const state = await readKeyState(tx);
    const obstacles = await listObstacles(tx, { state, number, isHere: ctx.masterKeys.keys.has(number) });
    if (obstacles.length > 0) throw new Error(obstacles.join("\n"));
    if (state.rows.some((row) => row.number === number && row.revoked_at !== null)) return;
    await updateRevoked(tx, number);
    const entry = { action: "master_key.revoked", object_type: "master_key", object_id: String(number), detail: { number } };
    await recordAudit(tx, { ctx, tenant: null, merchant_id: ownMerchantId, ...entry });
  });
  adoptKeyState(ctx.masterKeys, await readKeyState(ctx.db));
  const self = await rotation.join?.();
  try {
    await waitForOthers(ctx, { own: self?.id, isReady: ({ signing }) => signing !== number, doing: "sign with another key" }, rotation);
    await chainRowsOf(ctx, number, rotation);
    const { closed } = await resealRest(ctx, ctx.masterKeys.current, rotation);
    if (closed.length > 0)
      throw new Error(`${unfinished(number)} these values can't be decrypted:\n${closed.map((one) => `  ${one}`).join("\n")}`);
  } finally {
    await self?.stop();
  }
  await ctx.transact((tx) => deleteDerivedKeys(tx, number));
  adoptKeyState(ctx.masterKeys, await readKeyState(ctx.db));
  return countExposed(ctx.db);
}

/** Chains the audit log rows that it sealed while their seals can still be checked. Another process may be extending their chains. */
async function chainRowsOf(ctx: RotationCtx, number: number, { pause }: Rotation): Promise<void> {
  for (let pauses = 0; ; ) {
    const chained = await chainAudit(ctx);
    const waiting = await countWaiting(ctx, number);
    if (waiting === 0) return;
    if (chained > 0) continue;
    if (pauses === maxPauses)
      throw new Error(`${unfinished(number)} ${counted(waiting, "row")} of the audit log can't be chained. \`doctor --audit\` says why.`);
    pauses += 1;
    await pause();
  }
}

const unfinished = (number: number) =>
  `Master key ${number} is revoked, but keys derived from it are kept until you fix this and revoke it again:`;

async function listObstacles(db: Db, { state, number, isHere }: { state: KeyState; number: number; isHere: boolean }): Promise<string[]> {
  if (!state.rows.some((row) => row.number === number)) return [`There is no master key ${number}.`];
  if (currentIn(state) === number) return [`Master key ${number} is current. Add another and rotate first.`];
  const holding = (await listHolders(db, silenceMs)).filter(({ numbers }) => numbers.includes(number)).map(({ name }) => name);
  const having = [...(isHere ? ["this command"] : []), ...holding];
  let sealed = 0;
  for (const column of sealedColumns.filter(({ marks }) => marks[0] === "v1."))
    sealed += (await countSealed(db, column)).find((one) => one.number === number)?.count ?? 0;
  const earlier = listEarlier(state, number);
  return [
    ...(earlier.length > 0
      ? [`Revoke master key ${earlier.join(", ")} first: copies of the database have keys derived from it, encrypted with key ${number}.`]
      : []),
    ...(sealed > 0 ? [`Master key ${number} still encrypts ${counted(sealed, "value")}. Rotate first.`] : []),
    ...(having.length > 0
      ? [`Remove master key ${number} first, and restart the processes that still have it: ${having.join(", ")}.`]
      : []),
  ];
}

/** Keys that were current before it and aren't revoked: the keys derived from them were stored sealed with it, and may still sign. */
function listEarlier({ rows }: KeyState, number: number): number[] {
  const current = rows.filter((row) => row.current_since !== null);
  return current
    .slice(
      0,
      Math.max(
        0,
        current.findIndex((row) => row.number === number),
      ),
    )
    .filter((row) => row.revoked_at === null)
    .map((row) => row.number);
}

/** Every kind, also if none is left: its secrets may have been deleted here since the copy, but still be valid elsewhere. */
async function countExposed(db: Db): Promise<ExposedCount[]> {
  const counts: ExposedCount[] = [];
  for (const column of sealedColumns) {
    if (column.exposes === null) continue;
    const count = (await countSealed(db, column)).reduce((sum, one) => sum + one.count, 0);
    counts.push({ ...column.exposes, column: column.name, count });
  }
  return counts;
}
