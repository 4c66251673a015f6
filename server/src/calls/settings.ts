import type { Destination } from "#messaging/index.ts";
import type { Db, Tenant } from "#platform/index.ts";

/** Settings for calls. */
export interface CallSettings {
  /** Concurrent calls of one project and environment, across all processes. */
  readonly atOnce: number;
  /** True if LIVE calls to a number have a route. */
  hasRoute(number: Destination): boolean;
  /** True if a project may call a country from a number in LIVE. */
  mayUse(db: Db, tenant: Tenant, given: { number: string; country: string }): Promise<boolean>;
  /** The number from which a project usually calls a country in LIVE. */
  findUsual(db: Db, tenant: Tenant, country: string): Promise<string | null>;
}

declare module "../platform/context.ts" {
  interface Ctx {
    /** Settings for calls. */
    readonly calls: CallSettings;
  }
}
