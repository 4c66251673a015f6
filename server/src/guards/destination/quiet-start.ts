import { type QuietKind, quietEnd, usualQuietHours } from "../limits/quiet-hours.ts";
import type { Guard } from "./check-destination.ts";

/** When a LIVE message or call for `at` may be sent; `at` itself outside of quiet hours, and in TEST. */
export function startAfterQuiet(guard: Guard, { kind, country, at }: { kind: QuietKind; country: string; at: Date }): Date {
  const span = guard === null ? null : { ...usualQuietHours, ...guard.quiet_hours }[kind];
  return span === null ? at : quietEnd(at, { country, span });
}
