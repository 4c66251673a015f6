import type { Tier } from "#messaging/index.ts";
import type { Caps } from "./limits/caps.ts";
import type { Pace } from "./limits/pace.ts";

/** Settings for guards. */
export interface GuardSettings {
  readonly caps: Readonly<Record<Tier, Caps>>;
  readonly pace: Pace;
  /** The default limit of concurrent calls per project and environment. */
  readonly callsAtOnce: number;
}

declare module "../platform/context.ts" {
  interface Ctx {
    /** Settings for the guards of LIVE SMS and calls. */
    readonly guards: GuardSettings;
  }
}
