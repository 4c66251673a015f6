import Type from "typebox";
import { assetUrl } from "#assets/index.ts";
import { channels, identifyCode, listCrowdedPrices, type ProfileInput, type ProfileRow, personalCodeNotice, personalMethods } from "#collection/index.ts";
import { type Ctx, firstLanguage, maxAmountMinor } from "#platform/index.ts";
import { amountOut, flag, idOf, instant, integer, oneOf, shape, strict, text, textOrNull } from "../fields/fields.ts";

const modes = ["exact", "remark", "unique_amount"] as const;
const modeSentence =
  "How a receipt finds its payment. `exact`: a person decides. `remark`: the buyer types a code into the transfer's note. `unique_amount`: each open payment is asked for an amount of its own, a little lower.";
const byLanguage = (description: string, options: Record<string, unknown> = {}) =>
  Type.Unsafe<Record<string, string>>({
    type: "object",
    description,
    additionalProperties: { type: "string", maxLength: 1000 },
    examples: [{ [firstLanguage]: "Type the exact amount." }],
    ...options,
  });
const limit = (description: string) => Type.Unsafe<number | null>({ type: ["integer", "null"], minimum: 1, maximum: maxAmountMinor, description });

const ignoreRule = strict(
  {
    field: oneOf(
      ["type", "payer", "word"],
      "`type`: the wallet's word for the kind of transfer holds the text. `payer`: the payer is the text. `word`: kind, payer or note holds the text.",
    ),
    text: Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: "\\S",
      description: "What is looked for. Case and width of letters do not matter.",
      examples: ["微信红包"],
    }),
  },
  { description: "Income that is none of the shop's." },
);

const crowdedPrice = Type.Object(
  {
    amount_minor: amountOut("The price."),
    amounts_in_use: integer("How many of its amounts are in use.", { examples: [70] }),
    amounts_total: integer("How many amounts can be asked for instead of the price.", { examples: [99] }),
  },
  { description: "A price whose amounts are running out." },
);

export type ProfileShape = Awaited<ReturnType<typeof showProfile>>;
export type ProfileBody = Omit<ProfileInput, "channel" | "if_version">;

/** Gateways' names that differ from their channels' names. */
const otherNames = personalMethods
  .filter(({ gateway, channel }) => gateway !== channel)
  .map(({ gateway, channel }) => `The gateway \`${gateway}\` uses the channel \`${channel}\`.`)
  .join(" ");

export const profileSchema = shape("CollectionProfile", "The personal receiving code of one channel, and how payments to it are told apart.", {
  id: idOf("cp", "The profile's id."),
  object: oneOf(["collection_profile"], "Always `collection_profile`."),
  project_id: idOf("prj", "The project."),
  channel: oneOf(channels, `Whose code it is. ${otherNames}`.trim()),
  livemode: flag("False in the TEST environment."),
  enabled: flag("Whether buyers are offered the channel."),
  qr_payload: textOrNull("The code's text, exactly as read; null when only a picture is kept."),
  code_kind: textOrNull(
    "What the code is: `personal`, `business` (WeChat Pay's or Alipay's code for small businesses: payments arrive in the business account, whose bill and fees apply) or `fixed_amount`. Null when only a picture is kept.",
  ),
  qr_asset_id: textOrNull("The picture that the code was read from."),
  qr_image_url: textOrNull("Shows that picture for 15 minutes."),
  payee_name: textOrNull("Name that buyers see in their wallet."),
  instructions: byLanguage("What buyers are told beside the code, by language."),
  matching: Type.Object(
    {
      mode: oneOf(modes, modeSentence),
      max_offset_minor: integer("`unique_amount`: how much less may be asked for, in minor units."),
      strict: flag("`unique_amount`: refuse a payment when no amount is free, instead of leaving it to a person."),
    },
    { description: "How receipts find their payments." },
  ),
  account_ref: text("The account that the code pays into. Projects of one merchant with one code share it.", ["main"]),
  ignore_rules: Type.Array(ignoreRule, { description: "Receipts without a mark of ours that fit one of these are set aside." }),
  crowded_prices: Type.Array(crowdedPrice, {
    description: "`unique_amount`: prices of which at least 70 % of the amounts that may be asked for are in use, fullest first.",
  }),
  session_minutes: integer("How long a buyer has to pay.", { examples: [30] }),
  limits: Type.Object(
    {
      min_minor: limit("Smallest amount that is offered this channel."),
      max_minor: limit("Largest amount that is offered this channel."),
      daily_total_minor: limit("No payment is begun that would take the day, in Beijing time, beyond this."),
    },
    { description: "Bounds of what the code is used for." },
  ),
  notice: byLanguage("What to know about collecting with a personal code, by language."),
  version: integer("Grows by one with each change."),
  created_at: instant("When the channel was first configured."),
  updated_at: instant("When it was last changed."),
  updated_by: text("Who changed it last."),
});

const orNull = (description: string, options: Record<string, unknown>) => Type.Optional(textOrNull(description, options));

export const profileIn = strict({
  qr_asset_id: orNull("A picture of the code, uploaded as `collection_qr`. This or `qr_payload` is needed.", { maxLength: 40 }),
  qr_payload: orNull("The code's text; blanks, line ends and quotes around it are left out. This or `qr_asset_id` is needed.", {
    minLength: 1,
    maxLength: 500,
  }),
  allow_image_only: Type.Optional(flag("Accept a picture that no code could be read from; buyers are then shown the picture.")),
  confirm_fixed_amount: Type.Optional(flag("Accept a code that asks every buyer for one fixed amount (`qr_fixed_amount`).")),
  enabled: Type.Optional(flag("Whether buyers are offered the channel. Default: true.")),
  payee_name: orNull("Name that buyers see in their wallet.", { maxLength: 64 }),
  instructions: Type.Optional(
    byLanguage("What buyers are told beside the code, by language.", { propertyNames: { pattern: "^[a-z]{2}(-[A-Za-z]{2,4})?$" }, maxProperties: 10 }),
  ),
  matching: Type.Optional(
    strict(
      {
        mode: Type.Optional(oneOf(modes, `${modeSentence} Default: \`exact\`.`)),
        max_offset_minor: Type.Optional(
          integer("`unique_amount`: how much less may be asked for, in minor units, and at most 5 %. Default: 99.", { minimum: 1, maximum: 999 }),
        ),
        strict: Type.Optional(flag("`unique_amount`: refuse a payment when no amount is free. Default: false.")),
      },
      { description: "How receipts find their payments." },
    ),
  ),
  account_ref: orNull(
    "The account that the code pays into; a new name opens a new one. Left out: as it was, or that of the merchant's profile with the same code. A picture that no text could be read from must say which of several.",
    { minLength: 1, maxLength: 64, pattern: "^[0-9A-Za-z][0-9A-Za-z._-]*$" },
  ),
  ignore_rules: Type.Optional(Type.Array(ignoreRule, { maxItems: 100, description: "Receipts to set aside. Left out: as they were." })),
  session_minutes: Type.Optional(integer("How long a buyer has to pay. Default: 30.", { minimum: 5, maximum: 1440, examples: [30] })),
  limits: Type.Optional(
    strict(
      {
        min_minor: Type.Optional(limit("Smallest amount that is offered this channel.")),
        max_minor: Type.Optional(limit("Largest amount that is offered this channel.")),
        daily_total_minor: Type.Optional(limit("Most that is asked for in a day, in Beijing time.")),
      },
      { description: "Bounds of what the code is used for." },
    ),
  ),
});

export async function showProfile(ctx: Ctx, row: ProfileRow) {
  const { id, project_id, channel, livemode, enabled, qr_payload, qr_asset_id, payee_name, instructions, matching, session_minutes, limits, version } = row;
  const { account_ref, ignore_rules } = row;
  return {
    id,
    object: "collection_profile" as const,
    project_id,
    channel,
    livemode,
    enabled,
    qr_payload,
    code_kind: qr_payload === null ? null : identifyCode(qr_payload).kind,
    qr_asset_id,
    qr_image_url: qr_asset_id === null ? null : assetUrl(ctx, { id: qr_asset_id }),
    payee_name,
    instructions,
    // The database doesn't preserve the order of these fields.
    matching: { mode: matching.mode, max_offset_minor: matching.max_offset_minor, strict: matching.strict },
    account_ref,
    ignore_rules,
    crowded_prices: await listCrowdedPrices(ctx, row),
    session_minutes,
    limits: { min_minor: limits.min_minor, max_minor: limits.max_minor, daily_total_minor: limits.daily_total_minor },
    notice: personalCodeNotice,
    version,
    created_at: row.created_at,
    updated_at: row.updated_at,
    updated_by: row.updated_by,
  };
}
