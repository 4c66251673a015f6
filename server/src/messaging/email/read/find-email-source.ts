import { type Ctx, platformErrors, type Tenant } from "#platform/index.ts";
import { parcelOf } from "../sending/parcel.ts";
import type { RecipientRow } from "../shapes.ts";
import { findEmail } from "./find-email.ts";

/**
 * The raw message as its first recipient gets it, made again from what is kept: same texts, same Message-ID, its own boundaries and signature.
 * Throws resource_missing, also once the texts are gone.
 */
export async function findEmailSource(ctx: Ctx, tenant: Tenant, { id }: { id: string }): Promise<{ raw: Buffer }> {
  const { email, recipients, body } = await findEmail(ctx, tenant, id);
  if (body === null) throw platformErrors.resource_missing({ param: "id", message: "The texts of this message are no longer kept." });
  const { raw } = await parcelOf(ctx, { email, recipient: recipients[0] as RecipientRow, body });
  return { raw };
}
