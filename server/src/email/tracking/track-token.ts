import type { Ctx, Tenant } from "#platform/index.ts";
import { linkBaseOf } from "../links/link-host.ts";
import { readToken, signToken, signTokenWith, type TokenKey, tokenKeyOf } from "../links/signed-token.ts";

/** One recipient's copy of one message. */
export interface Tracked {
  tenant: Tenant;
  email_id: string;
  recipient_id: string;
}

/** What a tracking address contains: which copy was opened, or which copy's link was followed and where it leads. */
export type TrackToken = Tracked & ({ kind: "open" } | { kind: "click"; url: string });

type Signing = Pick<Ctx, "masterKeys" | "mail">;

/** Path of tracked links before the token. */
export const clickPath = "/c/";
/** Path of the image before the token; the address ends in `.gif`. */
export const openPath = "/o/";

/** What creates tracked links of one recipient's copy, in any thread: it can't sign anything else. */
export interface ClickSigner {
  base: string;
  key: TokenKey;
  parts: string[];
}

export function clickSignerOf(ctx: Signing, tracked: Tracked, base = linkBaseOf(ctx.mail)): ClickSigner {
  return { base: `${base}${clickPath}`, key: tokenKeyOf(ctx.masterKeys, "click"), parts: partsOf(tracked) };
}

/** A tracked link. Its target is signed, so that it only leads to addresses in the message. */
export function clickUrl({ base, key, parts }: ClickSigner, url: string): string {
  return `${base}${signTokenWith(key, [...parts, url])}`;
}

/** The address of the image that reports an open. */
export function openUrl(ctx: Signing, tracked: Tracked, base = linkBaseOf(ctx.mail)): string {
  return `${base}${openPath}${signToken(ctx.masterKeys, "open", partsOf(tracked))}.gif`;
}

/** Reads the token of a tracked link or of the image, with or without `.gif`; null if it wasn't made here. */
export function readTrackToken(ctx: Pick<Ctx, "masterKeys">, kind: "open" | "click", token: string): TrackToken | null {
  const parts = readToken(ctx.masterKeys, kind, kind === "open" ? token.replace(/\.gif$/, "") : token);
  const [project_id, mode, email_id, recipient_id, url] = parts ?? [];
  if (project_id === undefined || email_id === undefined || recipient_id === undefined) return null;
  const tracked = { tenant: { project_id, livemode: mode === "live" }, email_id, recipient_id };
  if (kind === "open") return { ...tracked, kind };
  return url === undefined ? null : { ...tracked, kind, url };
}

function partsOf({ tenant, email_id, recipient_id }: Tracked): string[] {
  return [tenant.project_id, tenant.livemode ? "live" : "test", email_id, recipient_id];
}
