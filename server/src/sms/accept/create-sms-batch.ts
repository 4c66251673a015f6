import { notifyingCaps, refusedRecipients } from "#guards/index.ts";
import { type BatchFault, type Checked, type CreatedBatch, createBatch, type SendingTier } from "#messaging/index.ts";
import type { Ctx, ErrorDetail, Tenant } from "#platform/index.ts";
import { smsChannel } from "../channel/sms-channel.ts";
import type { SmsInput } from "../shapes.ts";
import { acceptSms } from "./accept-sms.ts";
import { afterQuietHours } from "./after-quiet-hours.ts";
import { type CheckedSms, checkManySms, faultySms, type SmsCheckResult } from "./check-sms.ts";
import { type NewSms, newSms } from "./new-sms.ts";

export interface SmsBatchInput {
  tier: SendingTier;
  items: SmsInput[];
  /** True: one invalid item refuses the whole batch. False: invalid items are left out. */
  strict: boolean;
  /** Shape faults of some items that the API surface already found. */
  faults?: BatchFault[];
}

/** Accepts a batch of messages, as `createBatch` does. Throws batch_too_large, quota_exceeded. */
export function createSmsBatch(ctx: Ctx, tenant: Tenant, { tier, items, strict, faults = [] }: SmsBatchInput): Promise<CreatedBatch> {
  const misshapen = Map.groupBy(faults, ({ index }) => index);
  let checking: Promise<Map<number, SmsCheckResult>> | undefined;
  return createBatch(ctx, tenant, {
    channel: smsChannel,
    items,
    strict,
    async check(input, index): Promise<Checked<{ input: SmsInput; checked: CheckedSms }>> {
      const known = misshapen.get(index);
      if (known !== undefined) return { faults: known };
      checking ??= checkAll(ctx, tenant, { items, passedOver: misshapen });
      const found = (await checking).get(index) as SmsCheckResult;
      return found.faults.length > 0
        ? { faults: found.faults }
        : { good: { input, checked: await afterQuietHours(ctx, found.checked, input) } };
    },
    refuse: faultySms,
    make: ({ input, checked }, batch_id) => newSms(ctx, tenant, { tier, input, checked, batch_id }),
    idOf: ({ sms }) => sms.id,
    statusOf: ({ sms }) => sms.status,
    write: (messages, batch, answer) => notifyingCaps(ctx, tenant, () => acceptSms({ ctx, tenant, messages, batch, answer })),
    refusedOf,
  });
}

/** Of messages to a recipient who may not get them all, the last ones are refused. */
function refusedOf(error: unknown, messages: readonly NewSms[]): ReadonlyMap<number, ErrorDetail> {
  const refused = new Map<number, ErrorDetail>();
  for (const { recipient, over, detail } of refusedRecipients(error)) {
    const places = [...messages.keys()].filter((place) => messages[place]?.sms.recipient === recipient);
    for (const place of places.slice(-over)) refused.set(place, detail);
  }
  return refused;
}

/** Checks all items together, keyed by their position: the first one that is needed checks the others with it. */
async function checkAll(
  ctx: Ctx,
  tenant: Tenant,
  { items, passedOver }: { items: readonly SmsInput[]; passedOver: ReadonlyMap<number, unknown> },
) {
  const places = items
    .keys()
    .filter((index) => !passedOver.has(index))
    .toArray();
  const checked = await checkManySms(
    ctx,
    tenant,
    places.map((index) => items[index] as SmsInput),
  );
  return new Map(checked.map((one, at) => [places[at] as number, one]));
}
