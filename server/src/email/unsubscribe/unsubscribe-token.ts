import type { Ctx, Tenant } from "#platform/index.ts";
import { linkBaseOf } from "../links/link-host.ts";
import { readToken, signToken } from "../links/signed-token.ts";

/** Whose link it is: one recipient of one message. */
export interface UnsubscribeToken {
  tenant: Tenant;
  email_id: string;
  address: string;
}

type Signing = Pick<Ctx, "masterKeys" | "mail">;

/** Path of the page and of the one-click POST, before the token. */
export const unsubscribePath = "/u/";

/** The address in `List-Unsubscribe` and of a message's own unsubscribe link, one for each recipient. */
export function unsubscribeUrl(ctx: Signing, { tenant, email_id, address }: UnsubscribeToken, base = linkBaseOf(ctx.mail)): string {
  const parts = [tenant.project_id, tenant.livemode ? "live" : "test", email_id, address];
  return `${base}${unsubscribePath}${signToken(ctx.masterKeys, "unsubscribe", parts)}`;
}

/** Reads a token without querying the database; null if it wasn't made here. */
export function readUnsubscribeToken(ctx: Pick<Ctx, "masterKeys">, token: string): UnsubscribeToken | null {
  const [project_id, mode, email_id, address, rest] = readToken(ctx.masterKeys, "unsubscribe", token) ?? [];
  if (project_id === undefined || email_id === undefined || address === undefined || rest !== undefined) return null;
  return { tenant: { project_id, livemode: mode === "live" }, email_id, address };
}
