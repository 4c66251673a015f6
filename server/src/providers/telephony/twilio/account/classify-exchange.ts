import { type AnswerHead, type Exchange, storable } from "#platform/index.ts";
import type { Answer } from "./answer.ts";

/** Twilio's codes that are about the account rather than the request: an operator can fix them. */
const ofAccount: ReadonlySet<number> = new Set([10001, 20003, 20004, 20005, 20006, 20008, 20010, 20107, 20403, 20404, 30002]);
/** Codes of temporary errors. */
const passing: ReadonlySet<number> = new Set([10004, 14107, 20429, 20500, 20503, 21611, 30001, 30022]);
/** Statuses that are about the account if no code is more specific. */
const accountStatuses: ReadonlySet<number> = new Set([401, 403, 404, 405, 407, 410]);

const reasons: Readonly<Record<string, string>> = {
  timeout: "it didn't respond in time",
  dns: "its name can't be resolved",
  connect: "it can't be reached",
  connection_reset: "the connection was lost",
  invalid_response: "its response wasn't HTTP",
  truncated: "its response was incomplete",
  tls: "its certificate or encryption isn't valid",
  egress_blocked: "it isn't an allowed address",
};

/** Classifies an exchange with a carrier: done, certainly not done, or unknown. */
export function classifyExchange(exchange: Exchange): Answer {
  if (exchange.status !== null) return classifyAnswer(exchange, exchange.truncated ? null : readObject(exchange.body));
  const reason = reasons[exchange.error_code] ?? "it can't be reached";
  if (!exchange.sent) return { kind: "held", reason };
  // A status reports a refusal even if its body was lost.
  return exchange.head !== null && exchange.head.status >= 300 ? classifyAnswer(exchange.head, null) : { kind: "unknown", reason };
}

type Body = Readonly<Record<string, unknown>>;

function classifyAnswer(head: AnswerHead, body: Body | null): Answer {
  const { status } = head;
  if (status < 300)
    return status >= 200 && body !== null
      ? { kind: "done", status, body }
      : { kind: "unknown", reason: "its response can't be read", isUnreadable: true };
  const code = codeOf(body);
  const error = { status, code, message: messageOf(body, status) };
  // A proxy in between may time out although the carrier didn't.
  if (code === null && (status >= 500 || status === 408)) return { kind: "unknown", reason: `it returned ${status}` };
  const isAccount = status < 400 || (code === null ? accountStatuses.has(status) : status === 401 || ofAccount.has(code));
  const isPassing = status >= 500 || status === 429 || (code !== null && passing.has(code));
  if (isAccount || isPassing) return { kind: "deferred", ...error, retryAfterMs: retryAfterOf(head), isAccount };
  return { kind: "refused", ...error };
}

function readObject(bytes: Buffer): Body | null {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Body) : null;
  } catch {
    return null;
  }
}

/** Some carriers write the code as a string. */
function codeOf(body: Body | null): number | null {
  const code = body?.["code"];
  return (typeof code === "number" || typeof code === "string") && /^\d{5}$/.test(String(code)) ? Number(code) : null;
}

const messageMax = 300;

function messageOf(body: Body | null, status: number): string {
  const message = body?.["message"];
  return typeof message === "string" && message !== "" ? storable(message.slice(0, messageMax)) : `The carrier returned ${status}.`;
}

const longestWishS = 3_600;

function retryAfterOf({ headers }: AnswerHead): number | null {
  const text = headers["retry-after"] ?? "";
  return /^\d{1,6}$/.test(text) ? Math.min(Number(text), longestWishS) * 1_000 : null;
}
