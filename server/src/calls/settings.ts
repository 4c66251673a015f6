import type { Db, Tenant } from "#platform/index.ts";

/** What calls follow, from the configuration. */
export interface CallSettings {
  /** Concurrent calls of one project and environment, over all processes. */
  readonly atOnce: number;
  /** Whether LIVE calls to a country have a way out. */
  hasRoute(country: string): boolean;
  /** Whether a project may call a country from a number in LIVE. */
  mayUse(db: Db, tenant: Tenant, given: { number: string; country: string }): Promise<boolean>;
}

declare module "../platform/context.ts" {
  interface Ctx {
    /** What calls follow. */
    readonly calls: CallSettings;
  }
}
