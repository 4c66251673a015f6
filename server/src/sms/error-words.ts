import type { MessageError } from "#messaging/index.ts";
import { storable } from "#platform/index.ts";

/** Sentences for people about what went wrong with a message, by error code. Transports may use other codes. */
const sentences: Readonly<Record<string, string>> = {
  invalid_number: "The carrier reports that this number doesn't exist.",
  opted_out: "The recipient has opted out of messages from this sender.",
  no_route: "No route is set up for messages to this country.",
  country_not_allowed: "The carrier doesn't accept messages to this country.",
  throttled: "The carrier limited sending for too long.",
  carrier_rejected: "The carrier rejected the message.",
  handset_unreachable: "The handset couldn't be reached.",
  expired: "The message couldn't be delivered within its validity period.",
  unknown_subscriber: "The number has no subscriber.",
  provider_error: "The carrier had an error.",
  body_missing: "The text of this message has been deleted.",
  outcome_unknown: "The carrier's response was lost, so it's unknown whether the message was accepted. It won't be sent again.",
};

/** Why a message failed, or may have. */
export function errorOf(
  code: string,
  { message, provider_code = null }: { message?: string | undefined; provider_code?: string | null } = {},
): MessageError {
  const words = message ?? sentences[code] ?? "The message couldn't be delivered.";
  return { code, message: storable(words.slice(0, 1_000)), provider_code: storable(provider_code) };
}
