import Type from "typebox";
import { channels, personalMethods } from "#collection/index.ts";
import { type ApiKey, allScopes } from "#identity/index.ts";
import { flag, idOf, instant, instantOrNull, integer, oneOf, shape, strict, text, textOrNull } from "../fields/fields.ts";

export type ApiKeyShape = ReturnType<typeof showKey>;

/** No route requires these yet. */
const unused = /^calls:/;

const permissionNames = (description: string) =>
  Type.Unsafe<string[]>({
    type: "array",
    items: { type: "string", maxLength: 100 },
    maxItems: 50,
    description,
    examples: [["orders:read", "orders:write"]],
  });
const ranges = Type.Unsafe<string[]>({
  type: "array",
  items: { type: "string", maxLength: 64 },
  maxItems: 50,
  description: "The addresses and CIDR ranges the key can be used from. Empty: from anywhere.",
  examples: [["203.0.113.0/24"]],
});
const exampleAccount = `${personalMethods[0].channel}:main`;
const account = Type.Unsafe<string | null>({
  type: ["string", "null"],
  pattern: `^(${channels.join("|")}):[^\\s:][^:]{0,62}$`,
  description: "The account whose incoming transfers it reports, as channel and account. Required for LIVE keys with `receipts:write`.",
  examples: [exampleAccount],
});
const name = Type.String({ minLength: 1, maxLength: 100, description: "What the key is for.", examples: ["Web shop"] });

export const apiKeySchema = shape("ApiKey", "A key that your servers authenticate with. It belongs to one project and one environment.", {
  id: idOf("key", "The key's ID."),
  object: oneOf(["api_key"], "Always `api_key`."),
  project_id: idOf("prj", "The project."),
  name: text("What the key is for."),
  environment: oneOf(["test", "live"], "The environment it works in."),
  livemode: flag("False in the TEST environment."),
  prefix: text("The start of the key.", ["svc_test_"]),
  last4: text("The last four characters of the key."),
  permissions: permissionNames("The key's permissions."),
  status: oneOf(["active", "revoked", "expired"], "Only an active key works."),
  allowed_ips: ranges,
  expires_at: instantOrNull("When it expires."),
  last_used_at: instantOrNull("When it was last used, accurate to within seconds."),
  revoked_at: instantOrNull("When it was revoked, or when it will be if it's being replaced."),
  rotated_from: textOrNull("The key it replaced."),
  receiving_account: textOrNull(`The account whose incoming transfers it reports, such as \`${exampleAccount}\`; null for any.`),
  created_by: textOrNull("Who created it."),
  warnings: Type.Array(
    Type.Object(
      { code: oneOf(["no_allowed_ips"], "The warning's code."), message: text("A message for people.") },
      { description: "A warning." },
    ),
    { description: "What the key's owner should fix." },
  ),
  secret: textOrNull("The key itself. Only shown when it's created or rotated."),
  version: integer("Increases by one with every change."),
  created_at: instant("When it was created."),
  updated_at: instant("When it was last updated."),
});

export const keyIn = strict({
  name,
  permissions: Type.Unsafe<string[]>({
    ...permissionNames(
      `The key's permissions, at most your own: ${allScopes
        .filter((scope) => !unused.test(scope))
        .map((scope) => `\`${scope}\``)
        .join(", ")}.`,
    ),
    minItems: 1,
  }),
  environment: Type.Optional(oneOf(["test", "live"], "The environment it works in. Defaults to the request's environment.")),
  allowed_ips: Type.Optional(ranges),
  receiving_account: Type.Optional(account),
  expires_at: Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], format: "date-time", description: "When it expires." })),
});

export const keyChangeIn = strict({
  name: Type.Optional(name),
  permissions: Type.Optional(Type.Unsafe<string[]>({ ...permissionNames("The key's permissions, at most your own."), minItems: 1 })),
  allowed_ips: Type.Optional(ranges),
  receiving_account: Type.Optional(account),
  expires_at: Type.Optional(
    Type.Unsafe<string | null>({ type: ["string", "null"], format: "date-time", description: "When it expires; null for never." }),
  ),
});

export const rotationIn = strict({
  expire_old_in_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 7 * 86_400,
      default: 0,
      description: "How many seconds the old key keeps working, up to seven days. By default, it stops working immediately.",
    }),
  ),
});

/** `secret` is that of a key that was just created; reading a key returns none. */
export function showKey(key: ApiKey, secret: string | null = null) {
  const { id, project_id, environment, livemode, prefix, last4, permissions, status, allowed_ips, expires_at, last_used_at, revoked_at } =
    key;
  return {
    ...{ id, object: "api_key" as const, project_id, name: key.name, environment, livemode, prefix, last4, permissions, status },
    ...{ allowed_ips, expires_at, last_used_at, revoked_at, rotated_from: key.rotated_from },
    ...{ receiving_account: key.receiving_account, created_by: key.created_by, warnings: key.warnings, secret },
    ...{ version: key.version, created_at: key.created_at, updated_at: key.updated_at },
  };
}

export const flatUseSchema = shape("FlatPathUse", "How often a key used one of the deprecated flat paths.", {
  id: text("The key and the endpoint."),
  object: oneOf(["flat_path_use"], "Always `flat_path_use`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  key_id: idOf("key", "The key."),
  endpoint: text("The path to use instead.", ["GET /api/v1/projects/:projectId/orders"]),
  uses: integer("How many times it was used."),
  last_used_at: instant("When it was last used."),
});

export interface FlatUseShape {
  id: string;
  object: "flat_path_use";
  project_id: string;
  livemode: boolean;
  key_id: string;
  endpoint: string;
  uses: number;
  last_used_at: Date;
}
