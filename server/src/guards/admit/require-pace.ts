import { messagingErrors } from "#messaging/index.ts";
import { AppError, type ErrorDetail } from "#platform/index.ts";
import type { Pace } from "../limits/pace.ts";
import type { Window, WindowUse } from "./sql.ts";

/** A recipient who may not get all of a request's messages. */
interface RefusedRecipient {
  recipient: string;
  /** How many of them are too many. */
  over: number;
  detail: ErrorDetail;
}

/** quota_exceeded with its recipients, which are neither shown nor logged. */
class PaceExceeded extends AppError {
  readonly #refused: readonly RefusedRecipient[];

  constructor({ code, status, message, extras }: AppError, refused: readonly RefusedRecipient[]) {
    super(code, status, message, extras);
    this.#refused = refused;
  }

  get refused(): readonly RefusedRecipient[] {
    return this.#refused;
  }
}

/** The recipients that a refusal is about; none for any other error. */
export function refusedRecipients(error: unknown): readonly RefusedRecipient[] {
  return error instanceof PaceExceeded ? error.refused : [];
}

/** Refuses more messages to one recipient in a request than the limit ever allows: waiting doesn't help, so there is no Retry-After. */
export function requireFew(pace: Pace, windows: readonly Window[]): void {
  const refused = windows.flatMap(({ channel, recipient, wanted }): RefusedRecipient[] => {
    const rule = pace[channel].find(({ count }) => wanted > count);
    if (rule === undefined) return [];
    const message = `This request has ${wanted} messages to one recipient, who may get at most ${rule.count} within ${rule.seconds} seconds. Send fewer in one request.`;
    return [{ recipient, over: wanted - rule.count, detail: detailOf(rule, message) }];
  });
  if (refused.length > 0) throw paceExceeded(refused, {});
}

/** Refuses messages to recipients who already got too many. */
export function requirePace(pace: Pace, uses: readonly WindowUse[]): void {
  const hasty = uses.flatMap((use) => {
    const { channel, recipient } = use;
    const [short, long] = pace[channel];
    const over = { short: use.short_used - short.count, long: use.long_used - long.count };
    if (over.short <= 0 && over.long <= 0) return [];
    const rule = over.long > 0 ? long : short;
    const message = `This recipient already got ${rule.count} ${channel === "sms" ? "messages" : "calls"} from this project within ${rule.seconds} seconds, the most allowed.`;
    const leftS = over.long > 0 ? use.long_left_s : use.short_left_s;
    return [{ leftS, refused: { recipient, over: Math.max(over.short, over.long), detail: detailOf(rule, message) } }];
  });
  if (hasty.length === 0) return;
  const leftS = Math.max(1, ...hasty.map((one) => one.leftS));
  throw paceExceeded(
    hasty.map(({ refused }) => refused),
    { headers: { "retry-after": String(leftS) } },
  );
}

function detailOf({ count, seconds }: { count: number; seconds: number }, message: string): ErrorDetail {
  return { param: "to", code: "quota_exceeded", message, reason: "recipient_pace", values: { max: count, seconds } };
}

function paceExceeded(refused: readonly RefusedRecipient[], more: { headers?: Record<string, string> }): PaceExceeded {
  const [{ detail }] = refused as readonly [RefusedRecipient];
  const { code: _code, ...first } = detail;
  return new PaceExceeded(messagingErrors.quota_exceeded({ ...first, ...more }), refused);
}
