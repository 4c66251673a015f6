import { createHash } from "node:crypto";
import { cookiePrefixOf } from "#identity/index.ts";
import { type Ctx, open, type SealPlace, seal } from "#platform/index.ts";

/**
 * What a browser stores for one payment page: the pending identification, and the payment that only it may open. Sealed, so that only we
 * can have written it.
 */
export interface Visit {
  /** An identification requested from the provider, whose response wasn't received yet. */
  asked: { state: string; gateway: string; credential_id: string; address: string; until_ms: number } | null;
  /** Id of the payment session that was created for the person at this browser. */
  session: string | null;
}

export const noVisit: Visit = { asked: null, session: null };

/** Shorter than the time that providers prepare a payment for one person, which is at most two hours. */
const visitSeconds = 6_000;
const valueLengthMax = 4_000;

type Known = Pick<Ctx, "publicUrl" | "masterKeys" | "now">;

/** The `Set-Cookie` value of a payment page's cookie. It gives access to nothing that the link's holder may not see. */
export function visitCookie(ctx: Known, token: string, visit: Visit): string {
  const { name, place, isSecure } = placeOf(ctx, token);
  const value = seal(ctx.masterKeys, place, JSON.stringify({ ...visit, made_ms: ctx.now().getTime() }));
  return `${name}=${value}; Max-Age=${visitSeconds}; Path=/; HttpOnly${isSecure ? "; Secure" : ""}; SameSite=Lax`;
}

/** Reads the visit of this page from a Cookie header; empty if the cookie is another page's, too old or forged. */
export function readVisit(ctx: Known, token: string, cookieHeader: string | undefined): Visit {
  const { name, place } = placeOf(ctx, token);
  const found = cookieHeader?.split(/;\s*/).find((part) => part.startsWith(`${name}=`));
  if (found === undefined || found.length > valueLengthMax) return noVisit;
  try {
    const { made_ms, asked, session } = JSON.parse(open(ctx.masterKeys, place, found.slice(name.length + 1)).toString()) as Visit & {
      made_ms: number;
    };
    const now = ctx.now().getTime();
    if (now >= made_ms + visitSeconds * 1_000) return noVisit;
    return { asked: asked !== null && now < asked.until_ms ? asked : null, session };
  } catch {
    return noVisit;
  }
}

/** One cookie per link, because a buyer may have several open; its name doesn't reveal which. */
function placeOf({ publicUrl }: Known, token: string): { name: string; place: SealPlace; isSecure: boolean } {
  const { prefix, isSecure } = cookiePrefixOf(publicUrl);
  const row = createHash("sha256").update(`payment page ${token}`).digest("hex");
  return { name: `${prefix}.pay_${row.slice(0, 12)}`, place: { table: "cookie", column: "payment_page", row }, isSecure };
}
