import type { MessageError } from "#messaging/index.ts";

/** Why calls come to nothing, or end early, that neither their network nor their script ended. */
const faults = {
  expired: ["expired", "It could not be placed before its time was up."],
  recipient_opted_out: ["recipient_opted_out", "The number was suppressed before the call was placed."],
  no_route: ["no_route", "Nothing carries calls to this country any more."],
  worker_lost: ["worker_lost", "The process that held this call was lost. Whether the callee heard anything is not known."],
  stopped: ["worker_lost", "The process that held this call was stopped."],
  not_placed: ["provider_error", "The call could not be placed."],
} as const;

export function callFault(name: keyof typeof faults): MessageError {
  const [code, message] = faults[name];
  return { code, message, provider_code: null };
}
