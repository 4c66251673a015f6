import Type from "typebox";
import type { NumberOverview, NumberRow } from "#numbers/index.ts";
import { flag, idOf, instant, instantOrNull, integer, oneOf, shape, strict, text, textOrNull } from "../fields/fields.ts";

export const numberStatuses = ["requested", "approved", "rejected"] as const;
export const numberKinds = ["number", "alphanumeric"] as const;
const numberChannels = ["sms", "call"] as const;

export type NumberShape = ReturnType<typeof showNumber>;
export type NumberOverviewShape = ReturnType<typeof showNumberOverview>;

const channelsOut = Type.Unsafe<NumberRow["channels"]>({
  type: "array",
  items: { type: "string", enum: [...numberChannels] },
  description: "What it may be used for.",
  examples: [["sms", "call"]],
});

const countriesOut = Type.Unsafe<string[] | null>({
  type: ["array", "null"],
  items: { type: "string" },
  description: "Where messages and calls from it may go, as ISO 3166-1 alpha-2; null: wherever the project may send to.",
  examples: [["US"]],
});

const fields = {
  id: idOf("num", "The number's id."),
  object: oneOf(["number"], "Always `number`."),
  project_id: idOf("prj", "The project that asked for it."),
  livemode: flag("False in the TEST environment."),
  value: text("What `from` of a message or call holds.", ["+14155550100"]),
  kind: oneOf(numberKinds, "A number can be answered and belongs to one project; short codes are numbers. An `alphanumeric` name can't be answered."),
  channels: channelsOut,
  countries: countriesOut,
  status: oneOf(numberStatuses, "`approved` may be used in LIVE. What was taken back is `rejected` too."),
  purpose: textOrNull("What the merchant told the operator.", { examples: ["Order updates"] }),
  rejection_reason: textOrNull("Why it was refused or taken back."),
  decided_at: instantOrNull("When it was approved or rejected."),
  version: integer("Grows by one with each change."),
  created_at: instant("When it was first asked for."),
  updated_at: instant("When it was last changed."),
};

export const numberSchema = shape("ProjectNumber", "A number or sender name of a project.", fields);

export const numberOverviewSchema = shape("NumberOverview", "A number or sender name with whose it is, as operators see it.", {
  ...fields,
  merchant_id: idOf("mer", "The merchant."),
  merchant_name: text("Its name.", ["Corner Books"]),
  project_name: text("The project's name.", ["Corner Books"]),
  owner_project_name: textOrNull("The project that has this number, where that is another one: it must be taken back there first."),
});

const channelsIn = Type.Unsafe<NumberRow["channels"]>({
  type: "array",
  items: { type: "string", enum: [...numberChannels] },
  minItems: 1,
  maxItems: 2,
  description: "What it's for. Absent: all that it can do and your permissions cover.",
  examples: [["sms"]],
});
const countriesIn = Type.Unsafe<string[] | null>({
  type: ["array", "null"],
  items: { type: "string", pattern: "^[A-Z]{2}$", "x-reason": "not_a_country" },
  minItems: 1,
  maxItems: 250,
  description: "Where messages and calls from it go, as ISO 3166-1 alpha-2. Absent or null: wherever the project may send to.",
  examples: [["US"]],
});
const valueIn = Type.String({
  minLength: 1,
  maxLength: 32,
  description: "A telephone number in international form, a short code, or a name of up to 11 letters, digits and spaces.",
  examples: ["+14155550100"],
});

export const numberIn = strict({
  value: valueIn,
  kind: Type.Optional(oneOf(numberKinds, "Follows from the value; one that contradicts it is refused.")),
  channels: Type.Optional(channelsIn),
  countries: Type.Optional(countriesIn),
  purpose: Type.Optional(
    textOrNull("What you send from it, and how it is yours: the operator decides by this.", { maxLength: 1_000, examples: ["Order updates"] }),
  ),
});

export const approvalIn = strict({
  channels: Type.Optional(channelsIn),
  countries: Type.Optional(countriesIn),
});

export const assignmentIn = strict({
  project_id: Type.String({ minLength: 1, maxLength: 100, description: "The project that gets it.", examples: ["prj_01m7wje4wze7as3wcxk3xbrgav"] }),
  value: valueIn,
  channels: Type.Optional(channelsIn),
  countries: Type.Optional(countriesIn),
});

/** Field by field, so that a column added below never shows here unasked. */
export function showNumber(row: NumberRow) {
  const { id, project_id, livemode, value, kind, channels, countries, status, purpose, rejection_reason, decided_at, version, created_at, updated_at } = row;
  const terms = { value, kind, channels, countries, status, purpose, rejection_reason, decided_at };
  return { id, object: "number" as const, project_id, livemode, ...terms, version, created_at, updated_at };
}

export function showNumberOverview(row: NumberOverview) {
  const { merchant_id, merchant_name, project_name, owner_project_name } = row;
  return { ...showNumber(row), merchant_id, merchant_name, project_name, owner_project_name };
}
