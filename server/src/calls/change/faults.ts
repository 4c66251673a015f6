import type { MessageError } from "#messaging/index.ts";

/** Why calls fail or end early, other than because of their network or script. */
const faults = {
  expired: ["expired", "The call couldn't be placed in time."],
  recipient_opted_out: ["recipient_opted_out", "The number was suppressed before the call was placed."],
  no_route: ["no_route", "There is no longer a route for calls to this number."],
  worker_lost: ["worker_lost", "The process handling this call crashed. It's unknown whether the callee heard anything."],
  stopped: ["worker_lost", "The process handling this call was stopped."],
  not_placed: ["provider_error", "The call couldn't be placed."],
} as const;

export function callFault(name: keyof typeof faults): MessageError {
  const [code, message] = faults[name];
  return { code, message, provider_code: null };
}
