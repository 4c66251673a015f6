import Type from "typebox";
import { currencyIn, oneOf, strict } from "../fields/fields.ts";

const name = Type.String({ minLength: 1, maxLength: 100, description: "The project's name.", examples: ["Web shop"] });
const slug = Type.String({
  pattern: "^[a-z0-9]+(-[a-z0-9]+)*$",
  "x-reason": "slug_characters",
  maxLength: 40,
  description: "Short name, unique within the merchant.",
  examples: ["web-shop"],
});

const buyerReceipts = Type.Boolean({ description: "Sends buyers who gave an e-mail address a receipt when their LIVE order is paid." });

const timeZone = Type.String({
  minLength: 1,
  maxLength: 64,
  description:
    "IANA name of the zone in which the project keeps its days: for figures, local times in exports and the dashboard. Without it, `Asia/Shanghai` for projects in CNY, else `UTC`; the dashboard shows the reader's own time then.",
  examples: ["Asia/Shanghai"],
});

const branding = strict(
  {
    display_name: Type.Optional(Type.String({ minLength: 1, maxLength: 60, description: "The name that buyers see." })),
    color: Type.Optional(Type.String({ pattern: "^#[0-9a-fA-F]{6}$", description: "Colour of the pay page's accents.", examples: ["#1f6f54"] })),
    logo_asset_id: Type.Optional(Type.String({ maxLength: 40, description: "A picture uploaded as `logo`." })),
    support_email: Type.Optional(Type.String({ format: "email", maxLength: 254, description: "Where buyers can ask." })),
  },
  { description: "How the pay page looks." },
);

export const projectIn = strict({
  name,
  slug: Type.Optional(slug),
  default_currency: currencyIn("Currency that new orders of this project usually have."),
});

export const projectChangeIn = strict({
  name: Type.Optional(name),
  slug: Type.Optional(slug),
  default_currency: Type.Optional(currencyIn("Currency that new orders of this project usually have.")),
  settings: Type.Optional(
    strict(
      { branding: Type.Optional(branding), buyer_receipts: Type.Optional(buyerReceipts), time_zone: Type.Optional(timeZone) },
      { description: "Replaces all settings." },
    ),
  ),
});

export const activeProjectIn = strict({ project_id: Type.String({ maxLength: 40, description: "A project of a merchant that you belong to." }) });
export const activeEnvironmentIn = strict({ environment: oneOf(["TEST", "LIVE"], "Which environment flat paths mean from now on.") });
