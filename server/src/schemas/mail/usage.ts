import Type from "typebox";
import { limitOf, type Sending, type Tier, type TierLimits, tiers, type Usage } from "#messaging/index.ts";
import type { Tenant } from "#platform/index.ts";
import { flag, idOf, instant, instantOrNull, integer, oneOf, shape, text, textOrNull } from "../fields/fields.ts";

/** What a project sent, beside what its tier allows. */
export interface UsageShape extends Tenant {
  object: "usage";
  messaging_tier: Tier;
  emails: ShownUsage;
  sms: ShownUsage;
  calls: ShownUsage;
  sending: Sending;
  limits: ReturnType<typeof showLimits>;
}

const perMinute = (what: string) => integer(`${what} a minute.`);
const perHour = (what: string) => integer(`${what} an hour.`);
const part = (properties: Record<string, Type.TSchema>, description: string) => Type.Object(properties, { additionalProperties: false, description });

const quotaOf = (unit: string, quota: string, description: string) =>
  part(
    {
      quota: integer(quota),
      used: integer("How many were asked for today."),
      remaining: integer("How many are left today."),
      resets_at: instant("When the next day begins, in UTC."),
      days: Type.Array(part({ day: text("The day in UTC.", ["2026-11-20"]), used: integer(`${unit} asked for on it.`) }, "A day."), {
        description: "The last thirty days, today last.",
      }),
    },
    description,
  );

export const usageSchema = shape("Usage", "What was sent, beside what the merchant's tier allows.", {
  object: oneOf(["usage"], "Always `usage`."),
  project_id: idOf("prj", "The project that it belongs to."),
  livemode: flag("False in the TEST environment, which counts by itself."),
  messaging_tier: oneOf(tiers, "The merchant's tier. Operators set it."),
  emails: quotaOf("Deliveries", "Deliveries a day; a message to three recipients is three.", "The daily quota of e-mails."),
  sms: quotaOf("Parts", "Parts a day; a message that is sent in three parts is three.", "The daily quota of SMS."),
  calls: quotaOf("Calls", "Calls a day.", "The daily quota of calls."),
  sending: part(
    {
      suspended_at: instantOrNull("Since when the operator has stopped the merchant's LIVE messages; null: they are not stopped. TEST never is."),
      reason: textOrNull("Why they are stopped."),
      waiting: integer("Messages that go out once that is lifted, counted up to 10,000; 0 while nothing is stopped."),
    },
    "Whether messages of this environment leave at all.",
  ),
  limits: part(
    {
      emails_per_minute: perMinute("E-mails sent one by one, each key,"),
      sms_per_minute: perMinute("SMS sent one by one, each key,"),
      calls_per_minute: perMinute("Calls, each key,"),
      reads_per_minute: perMinute("Each kind of GET, each key,"),
      general_per_minute: perMinute("All other requests together, each key,"),
      batches_per_hour: perHour("Batches of e-mails, each key,"),
      sms_batches_per_hour: perHour("Batches of SMS, each key,"),
      changes_per_hour: perHour("Changes of domains and suppressions, each key,"),
      burst: integer("Requests of one key in flight at once."),
    },
    "How often each key may call.",
  ),
});

interface GivenUsage {
  tier: Tier;
  limits: TierLimits;
  emails: Usage;
  sms: Usage;
  calls: Usage;
  sending: Sending;
}

export function showUsage({ project_id, livemode }: Tenant, { tier, limits, emails, sms, calls, sending }: GivenUsage): UsageShape {
  const used = { emails: showQuota(emails), sms: showQuota(sms), calls: showQuota(calls) };
  return { object: "usage", project_id, livemode, messaging_tier: tier, ...used, sending, limits: showLimits(limits) };
}

type ShownUsage = ReturnType<typeof showQuota>;

function showQuota({ quota, days, resets_at }: Usage) {
  const used = days.at(-1)?.used ?? 0;
  return { quota, used, remaining: Math.max(quota - used, 0), resets_at, days };
}

function showLimits(limits: TierLimits) {
  return {
    emails_per_minute: limitOf(limits, "emails"),
    sms_per_minute: limitOf(limits, "sms"),
    calls_per_minute: limitOf(limits, "calls"),
    reads_per_minute: limits.reads,
    general_per_minute: limits.general,
    batches_per_hour: limitOf(limits, "email_batches"),
    sms_batches_per_hour: limitOf(limits, "sms_batches"),
    changes_per_hour: limits.control,
    burst: limits.burst,
  };
}
