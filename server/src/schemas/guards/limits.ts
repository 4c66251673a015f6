import Type from "typebox";
import { type CapName, type Caps, capMax, capNames, type FoundLimits, quietKinds, type SomeCaps, type Spending } from "#guards/index.ts";
import { idOf, instant, instantOrNull, integer, integerOrNull, oneOf, shape, strict, text, textOrNull } from "../fields/fields.ts";
import { countryList, countryListOrNull } from "./policy.ts";

const capSentences: Readonly<Record<CapName, string>> = {
  daily_spend_micros: "The daily spending cap (UTC), in millionths of the price table's currency.",
  monthly_spend_micros: "The monthly spending cap, in millionths.",
  daily_segments: "SMS parts per day, if SMS have no prices.",
  monthly_segments: "SMS parts per month.",
  daily_minutes: "Call minutes per day, rounded up per call, if calls have no prices.",
  monthly_minutes: "Call minutes per month.",
  calls_at_once: "Concurrent calls.",
};

const part = (properties: Record<string, Type.TSchema>, description: string, ...examples: object[]) =>
  Type.Object(properties, { additionalProperties: false, description, ...(examples.length === 0 ? {} : { examples }) });
const byCap = <T extends Type.TSchema>(make: (name: CapName) => T) =>
  Object.fromEntries(capNames.map((name) => [name, make(name)])) as unknown as Record<CapName, T>;

const unset = Object.fromEntries(capNames.map((name) => [name, null])) as Record<CapName, number | null>;
/** The values in the examples: a project's own caps, its operator's, and the result of both. */
const shown = {
  caps: { ...unset, daily_segments: 2_000, calls_at_once: 10 },
  operator_caps: { ...unset, daily_segments: 8_000 },
  effective_caps: {
    ...{ daily_spend_micros: 100_000_000, monthly_spend_micros: 1_500_000_000, daily_segments: 2_000, monthly_segments: 100_000 },
    ...{ daily_minutes: 3_000, monthly_minutes: 60_000, calls_at_once: 10 },
  },
  quiet_hours: { marketing: { from: "21:00", to: "08:00" }, transactional: null, calls: { from: "22:00", to: "07:30" } },
  recipient_pace: {
    sms: [
      { count: 5, seconds: 600 },
      { count: 20, seconds: 86_400 },
    ],
    calls: [
      { count: 2, seconds: 600 },
      { count: 10, seconds: 86_400 },
    ],
  },
};

const someCaps = (description: string, example: object) =>
  part(
    byCap((name) => integerOrNull(`${capSentences[name]} null if not set.`)),
    description,
    example,
  );
const capsIn = (description: string, example: object) =>
  Type.Unsafe<SomeCaps>(
    strict(
      byCap((name) =>
        Type.Optional(
          Type.Unsafe<number | null>({
            type: ["integer", "null"],
            minimum: 0,
            maximum: capMax,
            description: `${capSentences[name]} null removes it.`,
          }),
        ),
      ),
      { description, examples: [example] },
    ),
  );

type Clock = { from: string; to: string } | null;
const clock = (description: string) =>
  Type.String({ pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$", "x-reason": "not_a_clock", description, examples: ["21:00"] });
const spanOf = (description: string) =>
  Type.Unsafe<Clock>({
    ...strict({ from: clock("When they begin, in the recipient's local time."), to: clock("When they end.") }),
    type: ["object", "null"],
    description,
  });
const quiet = {
  marketing: spanOf("For SMS with the category `marketing`. Defaults to 21:00 to 08:00; null for none."),
  transactional: spanOf("For all other SMS except codes. None by default."),
  calls: spanOf("For all calls except codes. None by default."),
};
const paceRule = Type.Array(
  part({ count: integer("How many messages or calls one number can get"), seconds: integer("within this many seconds.") }, "A window."),
  {
    description: "A short window and a long one.",
  },
);

export type LimitsShape = ReturnType<typeof showLimits>;

export const limitsSchema = shape(
  "MessagingLimits",
  "The limits on a project's LIVE SMS, calls and codes: countries, spending and quiet hours.",
  {
    object: oneOf(["messaging_limits"], "Always `messaging_limits`."),
    project_id: idOf("prj", "The project."),
    countries: countryListOrNull("The countries you allow; null for the merchant's own country."),
    reachable_countries: countryList("The countries you can reach now: those you allow and the operator doesn't deny."),
    currency: textOrNull("The currency of the spending caps; null without a price table, when parts and minutes are capped instead.", {
      examples: ["USD"],
    }),
    caps: someCaps("Your own caps, never higher than the operator's.", shown.caps),
    operator_caps: someCaps("The caps the operator set for this project instead of its tier's.", shown.operator_caps),
    effective_caps: part(
      byCap((name) => integer(capSentences[name])),
      "What applies.",
      shown.effective_caps,
    ),
    quiet_hours: part(quiet, "When messages and calls wait for the recipient's morning.", shown.quiet_hours),
    recipient_pace: part(
      { sms: paceRule, calls: paceRule },
      "How many messages and calls one number can get. Set by the operator.",
      shown.recipient_pace,
    ),
    version: integer("Increases by one with every change."),
    updated_at: instantOrNull("When it was last updated."),
  },
);

export const limitsChangeIn = strict({
  countries: Type.Optional(
    countryListOrNull("The countries you allow; null for the merchant's own country. Owners get an email when countries are added."),
  ),
  caps: Type.Optional(capsIn("Your own caps, lower than the operator's. Caps you leave out don't change.", shown.caps)),
  quiet_hours: Type.Optional(
    Type.Unsafe<Partial<Record<(typeof quietKinds)[number], Clock>>>(
      strict(Object.fromEntries(quietKinds.map((kind) => [kind, Type.Optional(quiet[kind])])), {
        description: "Quiet hours. Kinds you leave out don't change.",
        examples: [shown.quiet_hours],
      }),
    ),
  ),
});

export const operatorCapsIn = strict({
  operator_caps: capsIn("Caps that replace the tier's, higher or lower. Caps you leave out don't change.", shown.operator_caps),
});

const allCaps = (caps: SomeCaps) =>
  Object.fromEntries(capNames.map((name) => [name, caps[name] ?? null])) as Record<CapName, number | null>;

export function showLimits(found: FoundLimits) {
  const { project_id, countries, reachable_countries, currency, caps, operator_caps, quiet_hours, pace, version, updated_at } = found;
  const effective_caps: Caps = found.effective_caps;
  return {
    ...{ object: "messaging_limits" as const, project_id, countries, reachable_countries, currency },
    ...{ caps: allCaps(caps), operator_caps: allCaps(operator_caps), effective_caps, quiet_hours },
    recipient_pace: { sms: [...pace.sms], calls: [...pace.call] },
    ...{ version, updated_at },
  };
}

const spendPart = (what: string) =>
  part(
    {
      used: integer("How much is spent or reserved.", { examples: [1_260] }),
      cap: integer("The cap.", { examples: [2_000] }),
      resets_at: instant("When the next period begins, in UTC."),
    },
    what,
  );

export type SpendingShape = ReturnType<typeof showSpending>;

export const spendingSchema = shape("MessagingSpend", "What a project spent on LIVE SMS and calls, compared with its caps.", {
  object: oneOf(["messaging_spend"], "Always `messaging_spend`."),
  project_id: idOf("prj", "The project."),
  currency: textOrNull("The currency of `spend_micros`; null without a price table.", { examples: ["USD"] }),
  measures: Type.Array(
    part(
      {
        measure: oneOf(["spend_micros", "segments", "minutes"], "Money in millionths, SMS parts, or call minutes."),
        day: spendPart("Today."),
        month: spendPart("This month."),
        days: Type.Array(
          part(
            { day: text("The day in UTC.", ["2026-11-20"]), used: integer("How much was spent on this day.", { examples: [1_260] }) },
            "A day.",
          ),
          {
            description: "The last 30 days, ending today.",
          },
        ),
      },
      "One measure.",
    ),
    { description: "The measures: money where there are prices, parts and minutes where there are none." },
  ),
});

export function showSpending({ project_id, currency, measures }: Spending) {
  return { object: "messaging_spend" as const, project_id, currency, measures };
}
