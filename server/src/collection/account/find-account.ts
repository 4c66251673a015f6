import { type Db, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import type { Channel } from "../channels.ts";
import {
  type Account,
  findAccountOfCode,
  findOwnAccount,
  insertAccount,
  lockAccountRefs,
  lockAccountRow,
  updateReservationAccounts,
} from "./sql.ts";

/** The default name of a merchant's first account at a wallet. */
const firstName = "main";

/** The account that a project's code pays into; `account_ref` selects another one of the merchant's. */
export async function findAccount(db: Db, tenant: Tenant, given: { channel: Channel; account_ref?: string | null }): Promise<Account> {
  const own = await findOwnAccount(db, tenant, given.channel);
  if (own === null) throw platformErrors.resource_missing({ param: "projectId" });
  const account_ref = given.account_ref ?? own.account_ref ?? firstName;
  return { merchant_id: own.merchant_id, livemode: tenant.livemode, channel: given.channel, account_ref };
}

/**
 * Locks an account until commit, so that only one receipt at a time looks for its match, and two sources of one transfer see each other.
 */
export async function lockAccount(tx: Tx, account: Account): Promise<void> {
  if (await lockAccountRow(tx, account)) return;
  await insertAccount(tx, account);
  await lockAccountRow(tx, account);
}

interface CodeGiven {
  tenant: Tenant;
  channel: Channel;
  merchant_id: string;
  /** The account in the request; a new name opens a new account. */
  named: string | null;
  /** The profile's previous account. */
  before: string | null;
  qr_payload: string | null;
}

/**
 * The account that a profile's code belongs to. Profiles of one merchant with the same code share an account, whatever either said before;
 * a different code remains in its account unless a person names another one. A picture without a readable text must say which of several it
 * is. Throws parameter_conflict if another profile has this code in an account other than the named one.
 */
export async function chooseAccount(tx: Tx, given: CodeGiven): Promise<string> {
  const { tenant, channel, merchant_id, named, before, qr_payload } = given;
  const wallet = { merchant_id, livemode: tenant.livemode, channel };
  const known = await lockAccountRefs(tx, wallet);
  const same = qr_payload === null ? null : await findAccountOfCode(tx, { ...wallet, qr_payload, besides: tenant.project_id });
  if (named !== null && same !== null && named !== same) {
    const message = `Another project uses this code with the account ${same}. A code pays into one account: omit account_ref, or send ${same}.`;
    throw platformErrors.parameter_conflict({ param: "account_ref", reason: "code_of_other_account", values: { name: same }, message });
  }
  const chosen = same ?? named ?? before ?? newName(known, qr_payload);
  await insertAccount(tx, { ...wallet, account_ref: chosen });
  return chosen;
}

/**
 * A code that didn't change was in its other account all along: its askings move there too, so that no amount is requested from two people.
 */
export function moveAskings(tx: Tx, given: { tenant: Tenant; channel: Channel; from: string; to: string }): Promise<void> {
  const { tenant, ...move } = given;
  return updateReservationAccounts(tx, tenant, move);
}

function newName(known: readonly string[], qr_payload: string | null): string {
  if (qr_payload === null && known.length > 0) {
    throw platformErrors.parameter_missing({
      param: "account_ref",
      reason: "account_unnamed",
      values: { known },
      message: `No text could be read from this image. Send the account it pays into as account_ref: ${known.join(", ")}, or a new name.`,
    });
  }
  for (let place = 1; ; place += 1) {
    const name = place === 1 ? firstName : `${firstName}-${place}`;
    if (!known.includes(name)) return name;
  }
}
