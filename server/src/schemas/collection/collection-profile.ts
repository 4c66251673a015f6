import Type from "typebox";
import { assetUrl } from "#assets/index.ts";
import {
  channels,
  identifyCode,
  listCrowdedPrices,
  type ProfileInput,
  type ProfileRow,
  personalCodeNotice,
  personalMethods,
} from "#collection/index.ts";
import { type Ctx, firstLanguage, maxAmountMinor } from "#platform/index.ts";
import { amountOut, flag, idOf, instant, integer, oneOf, shape, strict, text, textOrNull } from "../fields/fields.ts";

const modes = ["exact", "remark", "unique_amount"] as const;
const modeSentence =
  "How receipts are matched to payments. `exact`: a person decides. `remark`: the buyer enters a code in the transfer's note. `unique_amount`: each open payment is assigned a unique amount, slightly lower.";
const byLanguage = (description: string, options: Record<string, unknown> = {}) =>
  Type.Unsafe<Record<string, string>>({
    type: "object",
    description,
    additionalProperties: { type: "string", maxLength: 1000 },
    examples: [{ [firstLanguage]: "Type the exact amount." }],
    ...options,
  });
const limit = (description: string) =>
  Type.Unsafe<number | null>({ type: ["integer", "null"], minimum: 1, maximum: maxAmountMinor, description });

const ignoreRule = strict(
  {
    field: oneOf(
      ["type", "payer", "word"],
      "`type`: the wallet's transfer type contains the text. `payer`: the payer equals the text. `word`: type, payer or note contains the text.",
    ),
    text: Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: "\\S",
      description: "The text to look for. Letter case and width are ignored.",
      examples: ["微信红包"],
    }),
  },
  { description: "A rule for money that isn't for your orders." },
);

const crowdedPrice = Type.Object(
  {
    amount_minor: amountOut("The price."),
    amounts_in_use: integer("How many of the price's amounts are in use.", { examples: [70] }),
    amounts_total: integer("How many amounts can be asked for in place of the price.", { examples: [99] }),
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

export const profileSchema = shape("CollectionProfile", "A channel's personal receiving code, and how payments to it are told apart.", {
  id: idOf("cp", "The profile's ID."),
  object: oneOf(["collection_profile"], "Always `collection_profile`."),
  project_id: idOf("prj", "The project."),
  channel: oneOf(channels, `The code's wallet. ${otherNames}`.trim()),
  livemode: flag("False in the TEST environment."),
  enabled: flag("Whether buyers are offered the channel."),
  qr_payload: textOrNull("The code's text, exactly as read; null if only an image is stored."),
  code_kind: textOrNull(
    "The kind of code: `personal`, `business` (WeChat Pay's or Alipay's code for small businesses: payments arrive in the business account, with its own statement and fees) or `fixed_amount`. Null if only an image is stored.",
  ),
  qr_asset_id: textOrNull("The image the code was read from."),
  qr_image_url: textOrNull("Shows that image. Works for 15 minutes."),
  payee_name: textOrNull("The name buyers see in their wallet."),
  instructions: byLanguage("Instructions shown to buyers next to the code, by language."),
  matching: Type.Object(
    {
      mode: oneOf(modes, modeSentence),
      max_offset_minor: integer("`unique_amount`: how much less can be asked for, in minor units."),
      strict: flag("`unique_amount`: refuse a payment if no amount is free, instead of leaving the matching to a person."),
    },
    { description: "How receipts are matched to payments." },
  ),
  account_ref: text("The account the code pays into. A merchant's projects that use the same code share it.", ["main"]),
  ignore_rules: Type.Array(ignoreRule, {
    description: "Receipts that match one of these rules are set aside, unless they have a code or amount of one of your payments.",
  }),
  crowded_prices: Type.Array(crowdedPrice, {
    description: "`unique_amount`: prices with at least 70% of their possible amounts in use, fullest first.",
  }),
  session_minutes: integer("How many minutes a buyer has to pay.", { examples: [30] }),
  limits: Type.Object(
    {
      min_minor: limit("The smallest amount this channel is offered for."),
      max_minor: limit("The largest amount this channel is offered for."),
      daily_total_minor: limit("Payments that would exceed this total for the day, in Beijing time, aren't started."),
    },
    { description: "The limits on what the code is used for." },
  ),
  notice: byLanguage("What to know about collecting with a personal code, by language."),
  version: integer("Increases by one with every change."),
  created_at: instant("When the channel was first set up."),
  updated_at: instant("When it was last updated."),
  updated_by: text("Who last changed it."),
});

const orNull = (description: string, options: Record<string, unknown>) => Type.Optional(textOrNull(description, options));

export const profileIn = strict({
  qr_asset_id: orNull("An image of the code, uploaded as `collection_qr`. Send this or `qr_payload`.", { maxLength: 40 }),
  qr_payload: orNull("The code's text. Surrounding spaces, line breaks and quotes are removed. Send this or `qr_asset_id`.", {
    minLength: 1,
    maxLength: 500,
  }),
  allow_image_only: Type.Optional(flag("Accept an image that no code could be read from. Buyers then see the image.")),
  confirm_fixed_amount: Type.Optional(flag("Accept a code with a fixed amount for every buyer (`qr_fixed_amount`).")),
  enabled: Type.Optional(flag("Whether buyers are offered the channel. Defaults to `true`.")),
  payee_name: orNull("The name buyers see in their wallet.", { maxLength: 64 }),
  instructions: Type.Optional(
    byLanguage("Instructions shown to buyers next to the code, by language.", {
      propertyNames: { pattern: "^[a-z]{2}(-[A-Za-z]{2,4})?$" },
      maxProperties: 10,
    }),
  ),
  matching: Type.Optional(
    strict(
      {
        mode: Type.Optional(oneOf(modes, `${modeSentence} Defaults to \`exact\`.`)),
        max_offset_minor: Type.Optional(
          integer("`unique_amount`: how much less can be asked for, in minor units, up to 5%. Defaults to 99.", {
            minimum: 1,
            maximum: 999,
          }),
        ),
        strict: Type.Optional(flag("`unique_amount`: refuse a payment if no amount is free. Defaults to `false`.")),
      },
      { description: "How receipts are matched to payments." },
    ),
  ),
  account_ref: orNull(
    "The account the code pays into. A new name creates a new account. If omitted, it doesn't change, or is that of the merchant's profile with the same code. Required for an image that no code could be read from, if there are several accounts.",
    { minLength: 1, maxLength: 64, pattern: "^[0-9A-Za-z][0-9A-Za-z._-]*$" },
  ),
  ignore_rules: Type.Optional(
    Type.Array(ignoreRule, { maxItems: 100, description: "Rules for receipts to set aside. If omitted, they don't change." }),
  ),
  session_minutes: Type.Optional(
    integer("How many minutes a buyer has to pay. Defaults to 30.", { minimum: 5, maximum: 1440, examples: [30] }),
  ),
  limits: Type.Optional(
    strict(
      {
        min_minor: Type.Optional(limit("The smallest amount this channel is offered for.")),
        max_minor: Type.Optional(limit("The largest amount this channel is offered for.")),
        daily_total_minor: Type.Optional(limit("The maximum total to ask for per day, in Beijing time.")),
      },
      { description: "The limits on what the code is used for." },
    ),
  ),
});

export async function showProfile(ctx: Ctx, row: ProfileRow) {
  const {
    id,
    project_id,
    channel,
    livemode,
    enabled,
    qr_payload,
    qr_asset_id,
    payee_name,
    instructions,
    matching,
    session_minutes,
    limits,
    version,
  } = row;
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
