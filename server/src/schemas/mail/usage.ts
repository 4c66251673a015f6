import Type from "typebox";
import { limitOf, type Sending, type Tier, type TierLimits, tiers, type Usage } from "#messaging/index.ts";
import type { Tenant } from "#platform/index.ts";
import { flag, idOf, instant, instantOrNull, integer, oneOf, shape, text, textOrNull } from "../fields/fields.ts";

/** What a project sent, next to what its tier allows. */
export interface UsageShape extends Tenant {
  object: "usage";
  messaging_tier: Tier;
  emails: ShownUsage;
  sms: ShownUsage;
  calls: ShownUsage;
  sending: Sending;
  limits: ReturnType<typeof showLimits>;
}

const perMinute = (what: string) => integer(`${what} per minute.`);
const perHour = (what: string) => integer(`${what} per hour.`);
const part = (properties: Record<string, Type.TSchema>, description: string) =>
  Type.Object(properties, { additionalProperties: false, description });

const quotaOf = (unit: string, quota: string, description: string) =>
  part(
    {
      quota: integer(quota),
      used: integer("How many were requested today."),
      remaining: integer("How many are left today."),
      resets_at: instant("When the quota resets (UTC)."),
      days: Type.Array(part({ day: text("The day in UTC.", ["2026-11-20"]), used: integer(`${unit} requested on this day.`) }, "A day."), {
        description: "The last 30 days, ending today.",
      }),
    },
    description,
  );

export const usageSchema = shape("Usage", "What was sent, compared with the quota of the merchant's tier.", {
  object: oneOf(["usage"], "Always `usage`."),
  project_id: idOf("prj", "The project it belongs to."),
  livemode: flag("False in TEST, which is counted separately."),
  messaging_tier: oneOf(tiers, "The merchant's tier. Operators set it."),
  emails: quotaOf("Deliveries", "Deliveries per day; an email to three recipients counts as three.", "The daily quota of emails."),
  sms: quotaOf("Parts", "Parts per day; an SMS of three parts counts as three.", "The daily quota of SMS."),
  calls: quotaOf("Calls", "Calls per day.", "The daily quota of calls."),
  sending: part(
    {
      suspended_at: instantOrNull(
        "Since when the operator has suspended the merchant's LIVE sending; null if it isn't suspended. TEST is never suspended.",
      ),
      reason: textOrNull("Why sending is suspended."),
      waiting: integer("Messages on hold until the suspension is lifted, counted up to 10,000; 0 if sending isn't suspended."),
    },
    "Whether sending is suspended in this environment.",
  ),
  limits: part(
    {
      emails_per_minute: perMinute("Single emails for each key,"),
      sms_per_minute: perMinute("Single SMS for each key,"),
      calls_per_minute: perMinute("Single calls with each key,"),
      reads_per_minute: perMinute("Requests to each GET endpoint for each key,"),
      general_per_minute: perMinute("All other requests combined for each key,"),
      batches_per_hour: perHour("Email batches for each key,"),
      sms_batches_per_hour: perHour("SMS batches for each key,"),
      changes_per_hour: perHour("Changes of domains and suppressions for each key,"),
      burst: integer("Concurrent requests for each key."),
    },
    "Rate limits for each key.",
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
