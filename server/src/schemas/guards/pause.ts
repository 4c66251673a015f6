import Type from "typebox";
import { type PauseOverview, type PauseRow, pauseCauses, pauseStatuses, pricedChannels } from "#guards/index.ts";
import { idOf, instant, instantOrNull, integer, oneOf, shape, text } from "../fields/fields.ts";

export type PauseShape = ReturnType<typeof showPause>;
export type PauseOverviewShape = ReturnType<typeof showPauseOverview>;

/** A pause as answers and events show it. */
export const pauseFields = {
  id: idOf("pau", "The pause's id."),
  object: oneOf(["messaging_pause"], "Always `messaging_pause`."),
  channel: oneOf(pricedChannels, "What is paused: SMS or calls."),
  prefix: text("The beginning of the numbers that aren't reached, in digits without a plus sign.", ["99855"]),
  cause: oneOf(
    pauseCauses,
    "`sequential_numbers`: numbers one after the other. `no_conversions`: codes that are never entered. `dominant_prefix`: a foreign range that was suddenly nearly all.",
  ),
  figures: Type.Object(
    {
      messages: integer("Messages or calls to the range in the last while."),
      codes: integer("Of them, codes of verifications."),
      approved: integer("Codes that were entered."),
      share_percent: integer("The range's part of all messages or calls, in percent."),
      sequential_percent: integer("Of the numbers in the fullest thousand, those next to another one, in percent."),
    },
    { additionalProperties: false, description: "What was counted." },
  ),
  status: oneOf(pauseStatuses, "`active`: messages or calls to the range are refused."),
  paused_at: instant("When it was paused."),
  released_at: instantOrNull("When it was released."),
};

const fields = { ...pauseFields, project_id: idOf("prj", "The project.") };

export const pauseSchema = shape(
  "MessagingPause",
  "A range of numbers to which a project's LIVE SMS or calls are refused because the traffic looked like abuse.",
  fields,
);

export const pauseOverviewSchema = shape("MessagingPauseOverview", "A pause with whose it is, as operators see it.", {
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
