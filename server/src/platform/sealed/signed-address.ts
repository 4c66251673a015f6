import type { Ctx } from "../context.ts";
import { findNow } from "../database/now.sql.ts";
import { platformErrors } from "../errors.ts";
import { deriveKey, equalSecret, type KeyPurpose, macOf, trustedNumbers } from "../secrets.ts";

const signedSeconds = 900;

/** The object of a signed address, and the kind of address. */
interface Shown {
  purpose: Extract<KeyPurpose, "asset address" | "recording address">;
  id: string;
}

/** The query that grants read access to an address for 15 minutes. */
export function signedQuery(ctx: Pick<Ctx, "masterKeys" | "now">, shown: Shown): string {
  const expires = String(Math.floor(ctx.now().getTime() / 1000) + signedSeconds);
  return `expires=${expires}&signature=${signatureOf(ctx, { ...shown, expires })}`;
}

/**
 * Checks the query of a signed address before any lookup; returns how many seconds it is still valid. Throws permission_denied, for a wrong
 * signature without asking the database for the time.
 */
export async function requireSigned(
  ctx: Pick<Ctx, "masterKeys" | "db">,
  given: Shown & { expires: string; signature: string },
): Promise<number> {
  const intact = trustedNumbers(ctx.masterKeys, given.purpose).some((number) =>
    equalSecret(given.signature, signatureOf(ctx, given, number)),
  );
  if (!intact) throw refused();
  const left = Number(given.expires) - (await findNow(ctx.db)).getTime() / 1000;
  if (!(left > 0)) throw refused();
  return Math.floor(left);
}

const refused = () => platformErrors.permission_denied({ message: "This address isn't valid, or has expired." });

function signatureOf(ctx: Pick<Ctx, "masterKeys">, { purpose, id, expires }: Shown & { expires: string }, number?: number): string {
  return macOf(deriveKey(ctx.masterKeys, purpose, number), `${id}|${expires}`);
}
