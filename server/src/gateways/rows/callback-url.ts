import type { Ctx } from "#platform/index.ts";
import type { Credential } from "./sql.ts";

/** The address for callbacks of an account: without a query, because not every provider preserves one. */
export function callbackUrl({ publicUrl }: Pick<Ctx, "publicUrl">, { gateway, id }: Pick<Credential, "gateway" | "id">): string {
  return `${publicUrl}/api/payments/${gateway}/webhook/${id}`;
}
