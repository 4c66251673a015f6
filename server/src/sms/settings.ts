import type { Sender } from "#numbers/index.ts";
import type { Db, Tenant } from "#platform/index.ts";
import type { SmsTransport } from "./transport.ts";

/** Which numbers and sender names a project can send from in LIVE, and which project owns a number. */
export interface SmsSenders {
  mayUse(db: Db, tenant: Tenant, given: { sender: Sender; country: string }): Promise<boolean>;
  /** The default sender for a request without one; null if there isn't one. */
  findUsual(db: Db, tenant: Tenant, country: string): Promise<Sender | null>;
  /** null if the number is unassigned. */
  findOwner(db: Db, number: string): Promise<Tenant | null>;
}

/** Settings for sending SMS. */
export interface SmsSettings {
  /** The transports for LIVE messages. */
  readonly routes: readonly Pick<SmsTransport, "name" | "takes" | "connections">[];
  readonly senders: SmsSenders;
}

declare module "../platform/context.ts" {
  interface Ctx {
    /** Settings for sending SMS. */
    readonly sms: SmsSettings;
  }
}
