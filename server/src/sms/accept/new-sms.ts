import type { Admitted } from "#guards/index.ts";
import { expiryFrom, type SendingTier } from "#messaging/index.ts";
import { type Ctx, seal, type Tenant } from "#platform/index.ts";
import { bodyPlace } from "../sealed.sql.ts";
import type { Keyword, SmsInput, SmsRow } from "../shapes.ts";
import type { CheckedSms } from "./check-sms.ts";

/** A message that passed the rules and is about to be written. */
export interface NewSms {
  tier: SendingTier;
  sms: SmsRow;
  /** null if it is sealed. */
  body: string | null;
  sealed_body: string | null;
  /** What guards count it against; null if they don't count it. */
  admitted: Admitted | null;
}

interface Given {
  tier: SendingTier;
  input: Pick<SmsInput, "tags" | "metadata" | "status_callback" | "category">;
  checked: CheckedSms;
  batch_id: string | null;
  /** The recipient's keyword that it replies to. */
  keyword?: Keyword;
  /** Its text contains a secret: it is sealed, shown to no one, and deleted once it was sent. */
  secret?: boolean;
}

/** Builds the row of a message, with its text. */
export function newSms(ctx: Ctx, tenant: Tenant, given: Given): NewSms {
  const { tier, input, checked } = given;
  const { sender, recipient, split, body, scheduled_at, expires_at } = checked;
  const now = ctx.now();
  const isNow = scheduled_at === null;
  const sms: SmsRow = {
    ...{ project_id: tenant.project_id, livemode: tenant.livemode, id: ctx.id("sms"), direction: "outbound" },
    ...initialState(isNow ? "queued" : "scheduled"),
    ...{ sender: sender.value, sender_kind: sender.kind, recipient: recipient.number, country: recipient.country },
    ...{ encoding: split.encoding, segments: split.segments.length, keyword: given.keyword ?? null, category: categoryOf(given) },
    ...{ tags: input.tags ?? [], metadata: input.metadata ?? {}, status_callback: input.status_callback ?? null, batch_id: given.batch_id },
    ...{ state: isNow ? "due" : "waiting", due_at: scheduled_at ?? now, scheduled_at, expires_at, created_at: now, updated_at: now },
  };
  const content =
    given.secret === true ? { body: null, sealed_body: seal(ctx.masterKeys, bodyPlace(sms.id), body) } : { body, sealed_body: null };
  return { tier, sms, ...content, admitted: checked.admitted };
}

/** Codes and replies to keywords never wait. */
function categoryOf({ input, keyword, secret }: Given): SmsRow["category"] {
  return secret === true || keyword !== undefined ? null : (input.category ?? "transactional");
}

/** The initial values of every message. */
export function initialState<Status extends SmsRow["status"]>(status: Status) {
  const queue = { lease: null, lease_until: null, deaths: 0, attempts: 0, begun: false, settle_at: null, sequel: null, sequel_at: null };
  const nothing = { segments_sent: 0, reference: null, error: null, provider: null, sent_at: null, delivered_at: null };
  return { status, last_event: status, version: 1, sequence: 1, ...queue, ...nothing };
}

/**
 * Replaces the times that this process's clock gave messages on arrival with the database's, and counts their expiry and due time from it.
 */
export function timeSms(messages: readonly NewSms[], now: Date): void {
  for (const { sms } of messages) {
    const start = sms.scheduled_at ?? now;
    Object.assign(sms, { expires_at: expiryFrom(start, sms), due_at: start, created_at: now, updated_at: now });
  }
}
