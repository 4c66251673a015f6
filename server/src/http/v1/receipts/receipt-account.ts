import type { Channel } from "#collection/index.ts";
import type { Principal } from "#identity/index.ts";
import { platformErrors } from "#platform/index.ts";

interface Place<C extends Channel | undefined> {
  channel: C;
  account_ref: string | null;
}

/** The account of a caller's receipts: a key with an account can only report for that one. Throws permission_denied for another. */
export function accountOfKey<C extends Channel | undefined>(principal: Principal, given: Place<C>): Place<C | Channel> {
  if (principal.receiving_account === null) return given;
  const [channel = "", ...rest] = principal.receiving_account.split(":");
  const own = { channel: channel as Channel, account_ref: rest.join(":") };
  const fits = (given.channel ?? own.channel) === own.channel && (given.account_ref ?? own.account_ref) === own.account_ref;
  if (!fits) {
    throw platformErrors.permission_denied({
      message: `This API key only reports transfers of ${principal.receiving_account}.`,
      fields: { receiving_account: principal.receiving_account },
    });
  }
  return own;
}
