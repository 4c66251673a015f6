import Type from "typebox";
import { type PauseOverview, type PauseRow, pauseCauses, pauseStatuses, pricedChannels } from "#guards/index.ts";
import { idOf, instant, instantOrNull, integer, oneOf, shape, text } from "../fields/fields.ts";

export type PauseShape = ReturnType<typeof showPause>;
export type PauseOverviewShape = ReturnType<typeof showPauseOverview>;

/** A pause as responses and events show it. */
export const pauseFields = {
  id: idOf("pau", "The pause's ID."),
  object: oneOf(["messaging_pause"], "Always `messaging_pause`."),
  channel: oneOf(pricedChannels, "What is paused: SMS or calls."),
  prefix: text("The leading digits of the paused numbers, without the plus sign.", ["99855"]),
  cause: oneOf(
    pauseCauses,
    "`sequential_numbers`: consecutive numbers. `no_conversions`: codes that are never entered. `dominant_prefix`: almost all traffic suddenly went to one foreign range.",
  ),
  figures: Type.Object(
    {
      messages: integer("Recent messages or calls to the range."),
      codes: integer("How many of them were verification codes."),
      approved: integer("How many codes were entered."),
      share_percent: integer("The range's share of all messages or calls, in percent."),
      sequential_percent: integer("The share of consecutive numbers in the busiest block of a thousand, in percent."),
    },
    { additionalProperties: false, description: "The figures that led to the pause." },
  ),
  status: oneOf(pauseStatuses, "While `active`, messages or calls to the range are refused."),
  paused_at: instant("When it was paused."),
  released_at: instantOrNull("When it was released."),
};

const fields = { ...pauseFields, project_id: idOf("prj", "The project.") };

export const pauseSchema = shape(
  "MessagingPause",
  "A paused range: a project's LIVE SMS or calls to these numbers are refused because the traffic looked like abuse.",
  fields,
);

export const pauseOverviewSchema = shape("MessagingPauseOverview", "A paused range with its project and merchant, as operators see it.", {
  ...fields,
  merchant_id: idOf("mer", "The merchant."),
  merchant_name: text("Its name.", ["Corner Books"]),
  project_name: text("The project's name.", ["Corner Books"]),
});

export function showPause({ id, project_id, channel, prefix, cause, figures: counted, status, paused_at, released_at }: PauseRow) {
  const { messages, codes, approved, share_percent, sequential_percent } = counted;
  const figures = { messages, codes, approved, share_percent, sequential_percent };
  return { id, object: "messaging_pause" as const, channel, prefix, cause, figures, status, paused_at, released_at, project_id };
}

export function showPauseOverview(row: PauseOverview) {
  const { merchant_id, merchant_name, project_name } = row;
  return { ...showPause(row), merchant_id, merchant_name, project_name };
}
