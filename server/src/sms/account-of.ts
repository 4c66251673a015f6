import type { Ctx } from "#platform/index.ts";

/**
 * The connections to the account of one of them, itself included, in the same order for each: carriers spread what they deliver over all
 * connections of an account, whichever of them sent the message.
 */
export function accountOf({ sms }: Pick<Ctx, "sms">, provider: string): readonly string[] {
  return sms.routes.flatMap(({ connections = [] }) => connections).find((account) => account.includes(provider)) ?? [provider];
}
