import type { Sender } from "#numbers/index.ts";
import type { Db, Tenant } from "#platform/index.ts";
import type { SmsTransport } from "./transport.ts";

/** Which numbers and names a project sends from in LIVE, and whose number a message came to. */
export interface SmsSenders {
  mayUse(db: Db, tenant: Tenant, given: { sender: Sender; country: string }): Promise<boolean>;
  /** What a message is from whose request does not say; null if there is none. */
  findUsual(db: Db, tenant: Tenant, country: string): Promise<Sender | null>;
  /** null if the number is unassigned. */
  findOwner(db: Db, number: string): Promise<Tenant | null>;
}

/** What the sending of SMS follows. */
export interface SmsSettings {
  /** The ways that LIVE messages can leave by. */
  readonly routes: readonly Pick<SmsTransport, "name" | "takes">[];
  readonly senders: SmsSenders;
}

declare module "../platform/context.ts" {
  interface Ctx {
    /** What the sending of SMS follows. */
    readonly sms: SmsSettings;
  }
}
