import type { Ctx } from "#platform/index.ts";
import type { Credential } from "./sql.ts";

/** Where the provider of an account sends its callbacks: no query, since not every provider keeps one. */
export function callbackUrl({ publicUrl }: Pick<Ctx, "publicUrl">, { gateway, id }: Pick<Credential, "gateway" | "id">): string {
  return `${publicUrl}/api/payments/${gateway}/webhook/${id}`;
}
