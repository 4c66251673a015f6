import { isAddressRange, platformErrors, refuseAddressesIn } from "#platform/index.ts";
import { isScope } from "../scopes.ts";

export interface KeyFields {
  name?: string | undefined;
  permissions?: string[] | undefined;
  allowed_ips?: string[] | undefined;
  expires_at?: Date | null | undefined;
  receiving_account?: string | null | undefined;
}

/** Throws for invalid keys. `grantable` are the creator's own permissions: a key can't have more. */
export function checkKeyInput(fields: KeyFields, given: { now: Date; grantable: ReadonlySet<string> | null }): void {
  const { name, permissions = [], allowed_ips = [], expires_at } = fields;
  refuseAddressesIn({ name });
  const unknown = permissions.find((name) => !isScope(name));
  if (unknown !== undefined)
    throw platformErrors.parameter_invalid({
      param: "permissions",
      reason: "unknown_permission",
      values: { value: unknown },
      message: `The permission ${unknown} doesn't exist.`,
    });
  checkGrantable(permissions, given.grantable);
  const odd = allowed_ips.find((range) => !isAddressRange(range));
  if (odd !== undefined)
    throw platformErrors.parameter_invalid({
      param: "allowed_ips",
      reason: "not_an_address_range",
      values: { value: odd },
      message: `${odd} isn't an IP address or a CIDR range.`,
    });
  if (expires_at != null && expires_at <= given.now)
    throw platformErrors.parameter_invalid({ param: "expires_at", reason: "not_in_future", message: "expires_at must be in the future." });
}

/**
 * A LIVE key that reports incoming transfers can't change anything else, and must specify its account: its reports can pay orders, so
 * someone who finds it must not be able to create them as well. Throws for a resulting key that violates this.
 */
export function checkReceiptKey(key: { permissions: readonly string[]; receiving_account: string | null }, livemode: boolean): void {
  if (!key.permissions.includes("receipts:write")) {
    if (key.receiving_account === null) return;
    throw platformErrors.parameter_conflict({
      param: "receiving_account",
      reason: "account_without_permission",
      message: "Only keys with receipts:write can have a receiving_account.",
    });
  }
  if (!livemode) return;
  const other = key.permissions.find((name) => name.endsWith(":write") && name !== "receipts:write");
  if (other !== undefined) {
    throw platformErrors.parameter_conflict({
      param: "permissions",
      reason: "other_permission",
      values: { value: other },
      message: `A LIVE key with receipts:write can't have other write permissions. Remove ${other} and create a second key for it.`,
    });
  }
  if (key.receiving_account === null) {
    throw platformErrors.parameter_missing({
      param: "receiving_account",
      reason: "account_needed",
      message: "A LIVE key with receipts:write needs the account whose transfers it reports, as channel:account.",
    });
  }
}

/** Throws permission_denied for the first permission that the creator doesn't have. */
export function checkGrantable(permissions: readonly string[], grantable: ReadonlySet<string> | null): void {
  const missing = grantable === null ? undefined : permissions.find((name) => !grantable.has(name));
  if (missing === undefined) return;
  throw platformErrors.permission_denied({
    message: `Your role doesn't have the permission ${missing}.`,
    fields: { required_scope: missing },
  });
}
