import type { Ctx, Tx } from "#platform/index.ts";
import type { SmsKey } from "../rows.sql.ts";
import type { SentPart } from "../transport.ts";
import { applyEarly, updateStatus } from "./apply-receipts.ts";
import { foldId } from "./provider-ids.ts";
import { insertParts } from "./sql.ts";

/** The parts that one attempt had accepted. */
interface Accepted {
  key: SmsKey;
  provider: string;
  sent: readonly SentPart[];
}

/**
 * Stores the ids of accepted parts, applies reports that came before them, and derives the status of messages that are sent now from
 * earlier parts' reports. Their messages are locked. `pinned` has the database's time.
 */
export async function storeParts(tx: Tx, pinned: Ctx, accepted: readonly Accepted[]): Promise<void> {
  const parts = accepted.flatMap(({ key: { id, ...tenant }, provider, sent }) =>
    sent.map(({ index, provider_message_id }) => ({
      ...tenant,
      ...{ sms_id: id, place: index, provider, provider_message_id, created_at: pinned.now() },
      folded_id: provider_message_id === null ? null : foldId(provider_message_id),
    })),
  );
  if (parts.length === 0) return;
  await insertParts(tx, parts);
  await applyEarly(tx, pinned, parts);
  // Parts of an earlier attempt may have been reported on by now.
  const several = accepted.filter(({ sent }) => sent.some(({ index }) => index > 0)).map(({ key }) => key);
  await updateStatus(tx, pinned, several);
}
