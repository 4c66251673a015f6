import { type Ctx, maskCardNumbers, platformErrors, type Tenant } from "#platform/index.ts";
import { demoOrigin } from "../demo/enter-demo.ts";
import { GatewayError } from "../gateway-error.ts";
import type { GatewayAccount, GatewayAdapter } from "../port.ts";
import { listFormerFields } from "../rows/former.sql.ts";
import { credentialPlace, type Fields, formerPlace, openFields, splitFields } from "../rows/secrets.ts";
import { showCredential } from "../rows/show-credential.ts";
import { type Credential, type CredentialRow, findCredentialRow } from "../rows/sql.ts";

/** An account with its opened credentials. Held for one operation and never stored or logged. */
export interface OpenAccount {
  credential: Credential;
  adapter: GatewayAdapter;
  account: GatewayAccount;
  /** The same account with its previous fields, newest first, while callbacks signed with them are accepted. */
  former: readonly OpenAccount[];
  /** Separates its cache from others'. */
  cacheName: string;
  /** A provider's text without this account's secrets. */
  redact(text: string): string;
}

/**
 * Opens an account, also a paused or removed one, because its payments continue. Throws resource_missing, and `GatewayError` of kind `auth`
 * if the adapter no longer accepts its fields.
 */
export async function openAccount(ctx: Ctx, tenant: Tenant, id: string): Promise<OpenAccount> {
  const row = await findCredentialRow(ctx.db, tenant, id);
  if (row === null) throw platformErrors.resource_missing({ param: "id" });
  return openRow(ctx, row);
}

/** Like `openAccount`, for a row that was just read. */
export async function openRow(ctx: Ctx, row: CredentialRow): Promise<OpenAccount> {
  const { project_id, livemode, id } = row;
  const adapter = ctx.gateways.find(row.gateway);
  if (adapter === null) throw platformErrors.resource_missing({ param: "id" });
  const secrets = openFields(ctx.masterKeys, credentialPlace(id), row.sealed);
  const credential = showCredential(row);
  const current = openWith({ adapter, credential, fields: { ...row.fields, ...secrets } });
  if (row.former_until === null) return current;
  const former = await listFormerFields(ctx.db, { project_id, livemode, credential_id: id });
  return {
    ...current,
    former: former.flatMap(({ fields_version, sealed }) => {
      const fields = openFields(ctx.masterKeys, formerPlace(id, fields_version), sealed);
      return unlessUnreadable(() => openWith({ adapter, credential: { ...credential, fields_version }, fields }));
    }),
  };
}

/** Whether an account's provider is simulated inside this program. */
export function isSimulated({ demo, livemode }: Credential): boolean {
  return demo && !livemode;
}

/** The host of all accounts of a kind, or of an account's simulated provider; null if every account has its own. */
export function hostOf(ctx: Pick<Ctx, "gateways" | "publicUrl">, credential: Credential): string | null {
  return isSimulated(credential) ? demoOrigin(ctx, credential) : ctx.gateways.hostOf(credential.gateway, credential.livemode);
}

/** The address of an account's provider, for this program and for redirected browsers. */
export function baseUrlOf(ctx: Pick<Ctx, "gateways" | "publicUrl">, { credential, account }: OpenAccount): string {
  return hostOf(ctx, credential) ?? account.baseUrl ?? "";
}

/** Opens an account with its form's fields. */
export function openWith({
  adapter,
  credential,
  fields,
}: {
  adapter: GatewayAdapter;
  credential: Credential;
  fields: Fields;
}): OpenAccount {
  const { secrets } = splitFields(adapter.manifest.fields, fields);
  return {
    ...{ credential, adapter, former: [], cacheName: `${credential.id} ${credential.fields_version}` },
    account: opened(adapter, fields, credential.livemode),
    redact: redactorOf(Object.values(secrets)),
  };
}

function opened(adapter: GatewayAdapter, fields: Fields, livemode: boolean): GatewayAccount {
  try {
    return adapter.open(fields, { livemode });
  } catch (error) {
    throw new GatewayError("auth", {
      code: "credentials_unreadable",
      message: `The account's fields must be entered again: ${(error as Error).message}`,
    });
  }
}

/** Fields that an adapter no longer accepts verify nothing. */
function unlessUnreadable(open: () => OpenAccount): OpenAccount[] {
  try {
    return [open()];
  } catch {
    return [];
  }
}

/** A secret is masked as it is, and in its URL-encoded and JSON forms. */
function redactorOf(secrets: readonly string[]): (text: string) => string {
  const spellings = secrets
    .filter((secret) => secret.length >= 6)
    .flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)]);
  const longestFirst = [...new Set(spellings)].sort((left, right) => right.length - left.length);
  return (text) => maskCardNumbers(longestFirst.reduce((rest, secret) => rest.replaceAll(secret, "…"), text));
}
