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
  description: "The channels it can be used for.",
  examples: [["sms", "call"]],
});

const countriesOut = Type.Unsafe<string[] | null>({
  type: ["array", "null"],
  items: { type: "string" },
  description: "The countries it can be used in (ISO 3166-1 alpha-2); null for all countries the project may reach.",
  examples: [["US"]],
});

const fields = {
  id: idOf("num", "The number's ID."),
  object: oneOf(["number"], "Always `number`."),
  project_id: idOf("prj", "The project that requested it."),
  livemode: flag("False in TEST."),
  value: text("The number or name to send as `from` of a message or call.", ["+14155550100"]),
  kind: oneOf(
    numberKinds,
    "A `number`, which includes short codes, can receive replies and belongs to one project. An `alphanumeric` sender name can't receive replies.",
  ),
  channels: channelsOut,
  countries: countriesOut,
  status: oneOf(numberStatuses, "`approved` numbers can be used in LIVE. `rejected` includes revoked numbers."),
  purpose: textOrNull("What the merchant told the operator.", { examples: ["Order updates"] }),
  rejection_reason: textOrNull("Why it was rejected or revoked."),
  decided_at: instantOrNull("When it was approved or rejected."),
  version: integer("Increases by one with every change."),
  created_at: instant("When it was first requested."),
  updated_at: instant("When it was last updated."),
};

export const numberSchema = shape("ProjectNumber", "A number or sender name of a project.", fields);

export const numberOverviewSchema = shape("NumberOverview", "A number or sender name with its project and merchant, as operators see it.", {
  ...fields,
  merchant_id: idOf("mer", "The merchant."),
  merchant_name: text("Its name.", ["Corner Books"]),
  project_name: text("The project's name.", ["Corner Books"]),
  owner_project_name: textOrNull("Another project that has this number. Revoke it there first."),
});

const channelsIn = Type.Unsafe<NumberRow["channels"]>({
  type: "array",
  items: { type: "string", enum: [...numberChannels] },
  minItems: 1,
  maxItems: 2,
  description: "The channels to use it for. Defaults to all that the number supports and your permissions cover.",
  examples: [["sms"]],
});
const countriesIn = Type.Unsafe<string[] | null>({
  type: ["array", "null"],
  items: { type: "string", pattern: "^[A-Z]{2}$", "x-reason": "not_a_country" },
  minItems: 1,
  maxItems: 250,
  description: "The countries to use it in (ISO 3166-1 alpha-2). Defaults to all countries the project may reach.",
  examples: [["US"]],
});
const valueIn = Type.String({
  minLength: 1,
  maxLength: 32,
  description: "A phone number in international form, a short code, or a sender name of up to 11 letters, digits and spaces.",
  examples: ["+14155550100"],
});

export const numberIn = strict({
  value: valueIn,
  kind: Type.Optional(oneOf(numberKinds, "Derived from the value. A kind that contradicts it is refused.")),
  channels: Type.Optional(channelsIn),
  countries: Type.Optional(countriesIn),
  purpose: Type.Optional(
    textOrNull("What you'll send from it and why you may use it. The operator reviews the request based on this.", {
      maxLength: 1_000,
      examples: ["Order updates"],
    }),
  ),
});

export const approvalIn = strict({
  channels: Type.Optional(channelsIn),
  countries: Type.Optional(countriesIn),
});

export const assignmentIn = strict({
  project_id: Type.String({
    minLength: 1,
    maxLength: 100,
    description: "The project to assign it to.",
    examples: ["prj_01m7wje4wze7as3wcxk3xbrgav"],
  }),
  value: valueIn,
  channels: Type.Optional(channelsIn),
  countries: Type.Optional(countriesIn),
});

/** Field by field, so that a column added below isn't exposed by accident. */
export function showNumber(row: NumberRow) {
  const {
    id,
    project_id,
    livemode,
    value,
    kind,
    channels,
    countries,
    status,
    purpose,
    rejection_reason,
    decided_at,
    version,
    created_at,
    updated_at,
  } = row;
  const terms = { value, kind, channels, countries, status, purpose, rejection_reason, decided_at };
  return { id, object: "number" as const, project_id, livemode, ...terms, version, created_at, updated_at };
}

export function showNumberOverview(row: NumberOverview) {
  const { merchant_id, merchant_name, project_name, owner_project_name } = row;
  return { ...showNumber(row), merchant_id, merchant_name, project_name, owner_project_name };
}
