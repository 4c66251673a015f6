import Type from "typebox";
import { limitOf, type Sending, type Tier, type TierLimits, tiers, type Usage } from "#messaging/index.ts";
import type { Tenant } from "#platform/index.ts";
import { flag, idOf, instant, instantOrNull, integer, oneOf, shape, text, textOrNull } from "../fields/fields.ts";

/** What a project sent, beside what its tier allows. */
export interface UsageShape extends Tenant {
  object: "usage";
  messaging_tier: Tier;
  emails: { quota: number; used: number; remaining: number; resets_at: Date; days: Usage["days"] };
  sending: Sending;
  limits: ReturnType<typeof showLimits>;
}

const perMinute = (what: string) => integer(`${what} a minute.`);
const perHour = (what: string) => integer(`${what} an hour.`);
const part = (properties: Record<string, Type.TSchema>, description: string) => Type.Object(properties, { additionalProperties: false, description });

export const usageSchema = shape("Usage", "What was sent, beside what the merchant's tier allows.", {
  object: oneOf(["usage"], "Always `usage`."),
  project_id: idOf("prj", "The project that it belongs to."),
  livemode: flag("False in the TEST environment, which counts by itself."),
  messaging_tier: oneOf(tiers, "The merchant's tier. Operators set it."),
  emails: part(
    {
      quota: integer("Deliveries a day; a message to three recipients is three."),
      used: integer("How many were asked for today."),
      remaining: integer("How many are left today."),
      resets_at: instant("When the next day begins, in UTC."),
      days: Type.Array(part({ day: text("The day in UTC.", ["2026-11-20"]), used: integer("Deliveries asked for on it.") }, "A day."), {
        description: "The last thirty days, today last.",
      }),
    },
    "The daily quota of e-mails.",
  ),
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
      emails_per_minute: perMinute("Messages sent one by one, each key,"),
      reads_per_minute: perMinute("Each kind of GET, each key,"),
      general_per_minute: perMinute("All other requests together, each key,"),
      batches_per_hour: perHour("Batches, each key,"),
      changes_per_hour: perHour("Changes of domains and suppressions, each key,"),
      burst: integer("Requests of one key in flight at once."),
    },
    "How often each key may call.",
  ),
});

export function showUsage(tenant: Tenant, given: { tier: Tier; limits: TierLimits; usage: Usage; sending: Sending }): UsageShape {
  const { tier, limits, usage, sending } = given;
  const { quota, days, resets_at } = usage;
  const used = days.at(-1)?.used ?? 0;
  const { project_id, livemode } = tenant;
  const emails = { quota, used, remaining: Math.max(quota - used, 0), resets_at, days };
  return { object: "usage", project_id, livemode, messaging_tier: tier, emails, sending, limits: showLimits(limits) };
}

function showLimits(limits: TierLimits) {
  return {
    emails_per_minute: limitOf(limits, "emails"),
    reads_per_minute: limits.reads,
    general_per_minute: limits.general,
    batches_per_hour: limitOf(limits, "email_batches"),
    changes_per_hour: limits.control,
    burst: limits.burst,
  };
}
