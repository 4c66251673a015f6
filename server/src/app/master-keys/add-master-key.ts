import { randomBytes } from "node:crypto";
import { recordAudit } from "#audit/index.ts";
import { type Ctx, ownMerchantId, type Tx } from "#platform/index.ts";
import { writeAtomically } from "../embedded/index.ts";
import type { KeySource } from "./key-source.ts";
import { fingerprintOf } from "./live-keys.ts";
import { insertMasterKey, lockMasterKeys } from "./sql.ts";

interface AddedKey {
  number: number;
  /** `2:<64 hexadecimal digits>`, if the operator has to store it; null if it's in the data folder's file. */
  entry: string | null;
}

/**
 * Generates another master key, which seals nothing yet, and stores its fingerprint. It goes into the data folder's file if the keys come
 * from there; otherwise it's returned. Of two that are added at once, each gets its own number.
 */
export function addMasterKey(ctx: Ctx, source: KeySource): Promise<AddedKey> {
  const key = randomBytes(32);
  return ctx.transact(async (tx) => {
    const rows = await lockMasterKeys(tx);
    const { keys } = await source.read();
    const number = Math.max(...rows.map((row) => row.number), ...keys.keys()) + 1;
    const entry = `${number}:${key.toString("hex")}`;
    // Written before the commit: a key in the file that the database doesn't know does no harm.
    if (source.ownFile !== null) await writeAtomically(source.ownFile, listOf([...keys, [number, key]]));
    await insertMasterKey(tx, { number, fingerprint: fingerprintOf(key), now: ctx.now() });
    await record(tx, ctx, number);
    return { number, entry: source.ownFile === null ? entry : null };
  });
}

/** One per line, with commas, because the previous version reads them. */
function listOf(keys: readonly (readonly [number: number, key: Buffer])[]): string {
  return `${keys.map(([number, key]) => `${number}:${key.toString("hex")}`).join(",\n")}\n`;
}

function record(tx: Tx, ctx: Ctx, number: number): Promise<void> {
  const detail = { number };
  return recordAudit(tx, {
    ...{ ctx, tenant: null, merchant_id: ownMerchantId },
    ...{ action: "master_key.added", object_type: "master_key", object_id: String(number), detail },
  });
}
