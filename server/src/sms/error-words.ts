import type { MessageError } from "#messaging/index.ts";

/** What went wrong with a message, for people, by the word that programs read. Transports may use others. */
const sentences: Readonly<Record<string, string>> = {
  invalid_number: "The carrier says that this number does not exist.",
  opted_out: "The recipient asked not to get messages from this sender.",
  no_route: "No route takes messages to this country.",
  country_not_allowed: "The carrier does not take messages to this country.",
  throttled: "The carrier took no more messages for too long.",
  carrier_rejected: "The carrier refused the message.",
  handset_unreachable: "The handset could not be reached.",
  expired: "It could not be delivered before its time was up.",
  unknown_subscriber: "The number has no subscriber.",
  provider_error: "The carrier had a fault.",
  body_missing: "The text of this message is no longer kept.",
  outcome_unknown: "The carrier's response was lost, so it's unknown whether it has the message. It isn't sent again.",
};

/** Why a message came to nothing, or may have. */
export function errorOf(code: string, { message, provider_code = null }: { message?: string | undefined; provider_code?: string | null } = {}): MessageError {
  return { code, message: (message ?? sentences[code] ?? "The message could not be delivered.").slice(0, 1_000), provider_code };
}
