import { hostname } from "node:os";
import { type Ctx, isUnavailable } from "#platform/index.ts";
import { findKeyFaults, type KeyCtx } from "./confirm-master-keys.ts";
import { keepDerivedKeys } from "./keep-derived-keys.ts";
import type { KeySource } from "./key-source.ts";
import { adoptKeyState, currentIn, fingerprintOf, type KeyState, type LiveKeys, readKeyState } from "./live-keys.ts";
import { deleteDeadHolders, deleteHolder, insertHolder, insertMasterKey } from "./sql.ts";

const usualMs = 2_000;
/** A process that wasn't seen for this long is dead. */
export const silenceMs = 20_000;
/**
 * The number of checks after which a process reports a changed current key: what it sealed before has been written by then, because no
 * request waits longer for a connection.
 */
const settledAfter = 3;
/** A rejected list is read again after this many checks: what was missing may have been added without any change to the list. */
const retryAfter = 15;

/** Keeps a running process's master keys in line with the database and their source. */
export interface KeyFollower {
  /** The database's id of this process. */
  id: string;
  /** Checks once, as it does every two seconds by itself. */
  check(): Promise<void>;
  /** Records that this process is gone. */
  stop(): Promise<void>;
}

type Following = KeyCtx & Pick<Ctx, "id" | "log">;

interface Announced {
  sealing: number;
  signing: number;
  /** How many checks in a row found keys that aren't reported yet. */
  looks: number;
}

/** The state of reading the keys. */
interface Reading {
  isDue: boolean;
  /** Why the last list was rejected. Empty if it wasn't. */
  fault: string;
  /** How many checks ago it was read. */
  looks: number;
}

/**
 * Reports which keys this process has, adopts another current key, and reads its keys again if there may be others. `command` identifies it
 * to operators.
 */
export async function followMasterKeys(ctx: Following & { intervalMs?: number }, source: KeySource, command: string): Promise<KeyFollower> {
  const id = ctx.id("req");
  const name = `${command} on ${hostname()} (process ${process.pid})`;
  const announced: Announced = { sealing: ctx.masterKeys.current, signing: ctx.masterKeys.signing, looks: 0 };
  const reading: Reading = { isDue: false, fault: "", looks: 0 };
  let missing = "";
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running = Promise.resolve();
  const check = async () => {
    const state = await takeOver(ctx);
    await readWhenDue(ctx, source, { reading, state });
    missing = sayOnce(ctx, { before: missing, now: missingSentence(ctx, state), code: "master_key_missing" });
    settle(announced, ctx.masterKeys);
    const { sealing, signing } = announced;
    await insertHolder(ctx.db, { id, name, numbers: [...ctx.masterKeys.keys.keys()], sealing, signing });
  };
  const again = () => {
    running = check()
      .catch((error: unknown) => {
        // An unavailable database is reported elsewhere.
        if (!isUnavailable(error)) ctx.log.error({ err: error }, "the master keys couldn't be checked; trying again");
      })
      .finally(schedule);
  };
  const schedule = () => {
    if (!isStopped) timer = setTimeout(again, ctx.intervalMs ?? usualMs).unref();
  };
  try {
    await deleteDeadHolders(ctx.db);
    await check();
  } catch (error) {
    // A read-only database has no rotations either. The report follows once it's writable.
    if (!isUnavailable(error)) throw error;
  }
  schedule();
  return {
    id,
    check,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
      // If this fails, the process counts as alive for a moment longer.
      await deleteHolder(ctx.db, id).catch(() => undefined);
    },
  };
}

/** Adopts the database's state, and returns it. */
async function takeOver(ctx: Following): Promise<KeyState> {
  const state = await readKeyState(ctx.db);
  const before = ctx.masterKeys.current;
  adoptKeyState(ctx.masterKeys, state);
  await keepDerivedKeys(ctx, state);
  if (ctx.masterKeys.current !== before) ctx.log.info({ master_key: ctx.masterKeys.current }, "another master key is current");
  return state;
}

/** A rotation doesn't wait for a process that was away for long: it may come back without the key. */
function missingSentence({ masterKeys }: Following, state: KeyState): string {
  const current = currentIn(state);
  if (current === null || masterKeys.keys.has(current)) return "";
  return `Master key ${current} encrypts new secrets, but this process doesn't have it. Add it, and restart this process if the keys come from MASTER_KEYS.`;
}

/** Logs a fault once, as long as it stays the same. */
function sayOnce({ log }: Following, { before, now, code }: { before: string; now: string; code: string }): string {
  if (now !== "" && now !== before) log.error({ code }, now);
  return now;
}

/** Reads the keys again if there may be others. If the database fails in between, it's retried at the next check. */
async function readWhenDue(ctx: Following, source: KeySource, { reading, state }: { reading: Reading; state: KeyState }): Promise<void> {
  const newest = Math.max(...ctx.masterKeys.keys.keys());
  // Missing older keys were removed.
  const isMissing = state.rows.some((row) => row.number > newest);
  reading.looks += 1;
  if (source.isStale(isMissing) || (reading.fault !== "" && reading.looks >= retryAfter)) reading.isDue = true;
  if (!reading.isDue) return;
  const now = await takeRead(ctx, source);
  const fault = sayOnce(ctx, { before: reading.fault, now, code: "master_keys_not_taken" });
  Object.assign(reading, { isDue: false, fault, looks: 0 });
}

/** Reads the keys again. A list that can't be read, or doesn't fit the database, changes nothing: returns the reason, or an empty text. */
async function takeRead(ctx: Following, source: KeySource): Promise<string> {
  let keys: LiveKeys["keys"];
  try {
    ({ keys } = await source.read());
  } catch (error) {
    return notTaken((error as Error).message);
  }
  const faults = await findKeyFaults({ db: ctx.db, masterKeys: { ...ctx.masterKeys, keys } });
  if (faults.length > 0) return notTaken(faults.join(" "));
  for (const [number, key] of keys) await insertMasterKey(ctx.db, { number, fingerprint: fingerprintOf(key), now: ctx.now() });
  // Another process may have been faster with a different key of that number.
  const others = await findKeyFaults({ db: ctx.db, masterKeys: { ...ctx.masterKeys, keys } });
  if (others.length > 0) return notTaken(others.join(" "));
  const [before, now] = [ctx.masterKeys.keys, keys].map((list) => [...list.keys()]);
  ctx.masterKeys.keys = keys;
  await takeOver(ctx);
  if (String(before) !== String(now)) ctx.log.info({ master_keys: now }, "the master keys were read again");
  return "";
}

const notTaken = (fault: string) => `The master keys were read again and rejected: ${fault}`;

function settle(announced: Announced, { current, signing }: LiveKeys): void {
  announced.looks = announced.sealing === current && announced.signing === signing ? 0 : announced.looks + 1;
  if (announced.looks > settledAfter) Object.assign(announced, { sealing: current, signing, looks: 0 });
}
