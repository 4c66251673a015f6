import { type ErrorDetail, type ErrorExtras, platformErrors } from "#platform/index.ts";
import { messagingErrors } from "../errors.ts";

type Makers = Readonly<Record<string, (extras: ErrorExtras) => Error>>;

const shared: Makers = {
  parameter_missing: platformErrors.parameter_missing,
  parameter_unknown: platformErrors.parameter_unknown,
  parameter_conflict: platformErrors.parameter_conflict,
  url_not_allowed: platformErrors.url_not_allowed,
  card_number_refused: platformErrors.card_number_refused,
  recipient_invalid: messagingErrors.recipient_invalid,
  quota_exceeded: (extras) => messagingErrors.quota_exceeded({ ...extras, headers: { "retry-after": "60" } }),
  recipient_opted_out: messagingErrors.recipient_opted_out,
  sender_not_allowed: messagingErrors.sender_not_allowed,
  country_not_allowed: messagingErrors.country_not_allowed,
  no_route: messagingErrors.no_route,
};

const listedMax = 100;

/**
 * The error that lists all faults of a message or call. Its code is that of the first one. `sentence`: instead of the first one's message.
 * `own`: the errors of a channel's own codes.
 */
export function faultsError(faults: ErrorDetail[], { sentence, own = {} }: { sentence?: string | undefined; own?: Makers } = {}): Error {
  const [first] = faults as [ErrorDetail];
  const make = own[first.code] ?? shared[first.code] ?? platformErrors.parameter_invalid;
  return make({ param: first.param, message: sentence ?? first.message, details: faults.slice(0, listedMax) });
}
