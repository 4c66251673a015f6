import { type Ctx, createIntake, hint, type IntakeItem } from "#platform/index.ts";
import { findCallbackStored, insertCallbacks, type NewCallback, type StoredCallback } from "./sql.ts";

/** The result of storing a verified callback: the new row, or the one that an earlier delivery of its event would have had. */
export interface Stored {
  callback: StoredCallback;
  isNew: boolean;
}

interface Storing extends IntakeItem<Stored> {
  row: NewCallback;
  isNew: boolean;
  bytes: number;
}

/** In bytes of the providers' requests. */
const supply = { usual: 32 * 1024 * 1024, reserved: 32 * 1024 * 1024 };

const takeIn = createIntake<Storing>({
  supply,
  weightOf: ({ bytes }) => bytes,
  time() {},
  async write(tx, _ctx, { items }) {
    const made = await insertCallbacks(
      tx,
      items.map(({ row }) => row),
    );
    for (const item of items) item.isNew = made.has(item.row.id);
    if (items.some(({ isNew, row }) => isNew && !row.is_done)) hint(tx, "gateway_callbacks");
    return items.map(() => null);
  },
  // Checked by its id, not by its event: another callback may be the first of an event.
  async isStored(tx, { row }) {
    const made = await insertCallbacks(tx, [row]);
    return !made.has(row.id) && findCallbackStored(tx, row);
  },
});

/**
 * Stores a verified callback once, by its provider's event id; concurrent callbacks share a transaction. Throws service_unavailable if too
 * many are waiting, or if it's unknown whether it was stored.
 */
export function storeCallback(ctx: Ctx, row: NewCallback, bytes: number): Promise<Stored> {
  const { project_id, livemode, id, gateway, credential_id, event, told } = row;
  const callback: StoredCallback = { project_id, livemode, id, gateway, credential_id, event, told, attempts: 0 };
  const item: Storing = { ctx, tenant: row, row, bytes, isNew: false, answer: () => ({ callback, isNew: item.isNew }) };
  return takeIn(item);
}
