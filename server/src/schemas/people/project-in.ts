import Type from "typebox";
import { currencyIn, oneOf, strict } from "../fields/fields.ts";
import { gatewayIn } from "../fields/gateway.ts";

const name = Type.String({ minLength: 1, maxLength: 100, description: "The project's name.", examples: ["Web shop"] });
const slug = Type.String({
  pattern: "^[a-z0-9]+(-[a-z0-9]+)*$",
  "x-reason": "slug_characters",
  maxLength: 40,
  description: "A short name, unique within the merchant.",
  examples: ["web-shop"],
});

const buyerReceipts = Type.Boolean({ description: "Sends a receipt to buyers who gave an email address when their LIVE order is paid." });

const timeZone = Type.String({
  minLength: 1,
  maxLength: 64,
  description:
    "The IANA time zone of the project's days, for figures, local times in exports and the dashboard. Defaults to `Asia/Shanghai` for projects in CNY and `UTC` for others; without it, the dashboard shows the reader's own time.",
  examples: ["Asia/Shanghai"],
});

const gatewayOrder = Type.Array(gatewayIn("GatewaySlug", "A gateway's name."), {
  maxItems: 100,
  uniqueItems: true,
  description:
    "Gateways in the order in which buyers see them on the payment page, in both environments. Those that aren't listed follow in their usual order. Defaults to the usual order.",
});

const branding = strict(
  {
    display_name: Type.Optional(Type.String({ minLength: 1, maxLength: 60, description: "The name buyers see." })),
    color: Type.Optional(
      Type.String({ pattern: "^#[0-9a-fA-F]{6}$", description: "The accent color of the payment page.", examples: ["#1f6f54"] }),
    ),
    logo_asset_id: Type.Optional(Type.String({ maxLength: 40, description: "An image uploaded as `logo`." })),
    support_email: Type.Optional(Type.String({ format: "email", maxLength: 254, description: "Where buyers can get help." })),
  },
  { description: "How the payment page looks." },
);

export const projectIn = strict({
  name,
  slug: Type.Optional(slug),
  default_currency: currencyIn("The usual currency of this project's new orders."),
});

export const projectChangeIn = strict({
  name: Type.Optional(name),
  slug: Type.Optional(slug),
  default_currency: Type.Optional(currencyIn("The usual currency of this project's new orders.")),
  settings: Type.Optional(
    strict(
      {
        branding: Type.Optional(branding),
        buyer_receipts: Type.Optional(buyerReceipts),
        time_zone: Type.Optional(timeZone),
        gateway_order: Type.Optional(gatewayOrder),
      },
      { description: "Replaces all settings." },
    ),
  ),
});

export const activeProjectIn = strict({
  project_id: Type.String({ maxLength: 40, description: "A project of a merchant you belong to." }),
});
export const activeEnvironmentIn = strict({
  environment: oneOf(["TEST", "LIVE"], "The environment that paths without a project use from now on."),
});
