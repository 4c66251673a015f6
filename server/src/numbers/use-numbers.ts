import type { Db, Tenant } from "#platform/index.ts";
import { readSender, type Sender } from "./read-sender.ts";
import { findApproved, findOwnerRow, findUsualValue } from "./use.sql.ts";

/** The numbers and names from which a project sends SMS in LIVE, and the owner of a number that received a message. */
export const smsNumbers = {
  mayUse: (db: Db, tenant: Tenant, { sender, country }: { sender: Sender; country: string }): Promise<boolean> =>
    findApproved(db, tenant, { value: sender.value, channel: "sms", country }),
  async findUsual(db: Db, tenant: Tenant, country: string): Promise<Sender | null> {
    const value = await findUsualValue(db, tenant, country);
    return value === null ? null : readSender(value);
  },
  findOwner: (db: Db, number: string): Promise<Tenant | null> => findOwnerRow(db, number),
};

/** True if a project may call a country from a number in LIVE. */
export function mayCallFrom(db: Db, tenant: Tenant, { number, country }: { number: string; country: string }): Promise<boolean> {
  return findApproved(db, tenant, { value: number, channel: "call", country });
}
