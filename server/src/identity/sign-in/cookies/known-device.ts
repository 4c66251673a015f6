import { createHash, randomBytes } from "node:crypto";
import { type Ctx, isTrusted, type MasterKeys, open, purposeKeys, type SealPlace, seal } from "#platform/index.ts";
import { cookiePrefixOf } from "./cookie.ts";

const days = 90;
const dayMs = 86_400_000;

type Known = Pick<Ctx, "publicUrl" | "masterKeys" | "now">;

/**
 * The cookie of a browser in which an account's person has signed in. It grants no access, but attempts from there have their own limit, so
 * that a stranger's attempts, which lock the account, don't lock out its owner.
 */
export function knownDeviceCookie(ctx: Known, account: string): string {
  const { prefix, name, place } = placeOf(ctx, account);
  const value = seal(purposeKeys(ctx.masterKeys, "known device"), place, `${randomBytes(12).toString("base64url")} ${ctx.now().getTime()}`);
  const secure = prefix.isSecure ? "; Secure" : "";
  return `${name}=${value}; Max-Age=${days * 86_400}; Path=/; HttpOnly${secure}; SameSite=Lax`;
}

/** The device that a Cookie header proves for this account; null without one, or if it is another account's, too old or forged. */
export function readKnownDevice(ctx: Known, account: string, cookieHeader: string | undefined): string | null {
  const { name, place } = placeOf(ctx, account);
  const found = cookieHeader?.split(/;\s*/).find((part) => part.startsWith(`${name}=`));
  if (found === undefined || found.length > 500) return null;
  try {
    const [device = "", madeMs] = opened(ctx.masterKeys, place, found.slice(name.length + 1)).split(" ");
    const ageMs = ctx.now().getTime() - Number(madeMs);
    // A cookie from the future was made by a process whose clock is ahead of this one's.
    return ageMs < days * dayMs ? device : null;
  } catch {
    return null;
  }
}

/** Versions before keys per purpose were stored sealed it with the master key itself. */
function opened(keys: MasterKeys, place: SealPlace, sealed: string): string {
  try {
    return open(purposeKeys(keys, "known device"), place, sealed).toString();
  } catch {
    const trusted = [...keys.keys].filter(([number]) => isTrusted(keys, "known device", number));
    return open({ ...keys, keys: new Map(trusted) }, place, sealed).toString();
  }
}

/** One cookie per account, for browsers in which several people sign in; its name doesn't reveal which. */
function placeOf({ publicUrl }: Pick<Ctx, "publicUrl">, account: string) {
  const prefix = cookiePrefixOf(publicUrl);
  const row = createHash("sha256").update(`known device ${account.trim().toLowerCase()}`).digest("hex");
  return { prefix, name: `${prefix.prefix}.known_${row.slice(0, 8)}`, place: { table: "cookie", column: "known_device", row } };
}
