import type { Db, Tenant } from "#platform/index.ts";
import { readSender, type Sender } from "./read-sender.ts";
import { findApproved, findOwnerRow, findUsualValue } from "./use.sql.ts";

/** The numbers and names from which a project sends SMS in LIVE, and the owner of a number that received a message. */
export const smsNumbers = {
  mayUse: (db: Db, tenant: Tenant, { sender, country }: { sender: Sender; country: string }): Promise<boolean> =>
    findApproved(db, tenant, { value: sender.value, channel: "sms", country }),
  async findUsual(db: Db, tenant: Tenant, country: string): Promise<Sender | null> {
    const value = await findUsualValue(db, tenant, { channel: "sms", country });
    return value === null ? null : readSender(value);
  },
  findOwner: (db: Db, number: string): Promise<Tenant | null> => findOwnerRow(db, number),
};

/** The numbers from which a project calls in LIVE. */
export const callNumbers = {
  mayUse: (db: Db, tenant: Tenant, { number, country }: { number: string; country: string }): Promise<boolean> =>
    findApproved(db, tenant, { value: number, channel: "call", country }),
  findUsual: (db: Db, tenant: Tenant, country: string): Promise<string | null> => findUsualValue(db, tenant, { channel: "call", country }),
};
