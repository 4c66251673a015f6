import { type Answer, classifyAnswer, readEnhanced, type SendOutcome } from "#email/index.ts";
import type { Exchange, OpenFailure } from "./conversation.ts";

/** The meaning of an exchange with a server. */
export interface Classified {
  outcome: SendOutcome;
  /** Whether to pause the whole site: the problem isn't the message. */
  isSite: boolean;
  reason: string;
  wait_ms: number | null;
  isSlow: boolean;
  /** A relay accepts fewer messages per second or minute. */
  isPace: boolean;
  /** A relay refuses our account with it, or only this sender: its words don't tell which. */
  isAccount: boolean;
}

const longestDiagnostic = 1_000;
const usual = { isSlow: false, isSite: false, isPace: false, isAccount: false };

export function classifyExchange(exchange: Exchange, given: { provider: string; remote: string; final: boolean }): Classified {
  const { provider, remote, final } = given;
  const plain = { ...usual, wait_ms: null };
  if (exchange.kind === "accepted") {
    const diagnostic = shown(`${exchange.code} ${exchange.text}`);
    const outcome: SendOutcome = {
      provider,
      remote,
      result: "accepted",
      final,
      smtp_code: exchange.code,
      enhanced_code: readEnhanced(exchange.text),
      diagnostic,
    };
    return { ...plain, outcome, reason: diagnostic };
  }
  if (exchange.kind === "unknown")
    return { ...plain, outcome: { provider, remote, result: "unknown", diagnostic: shown(exchange.reason) }, reason: exchange.reason };
  if (exchange.kind === "lost") {
    const reason = `the connection was lost (${exchange.reason})`;
    const outcome: SendOutcome = {
      provider,
      remote,
      result: "deferred",
      bounce: { type: "transient", subtype: "general" },
      diagnostic: shown(reason),
    };
    return { ...plain, outcome, reason };
  }
  return classifyResponse(exchange.answer, given);
}

/** A conversation that can't be opened is always the site's problem. */
export function classifyOpenFailure(failure: OpenFailure, given: { provider: string; remote: string | null; final: boolean }): Classified {
  if (failure.kind === "answer") return { ...classifyResponse(failure.answer, given), ...siteOutcome(failure.answer, given) };
  const reason = failure.kind === "tls" ? `TLS failed (${failure.reason})` : `cannot be reached (${failure.reason})`;
  const { provider, remote } = given;
  const enhanced_code = failure.kind === "tls" ? "4.7.5" : "4.4.1";
  const outcome: SendOutcome = { provider, remote, result: "deferred", bounce: later, diagnostic: shown(reason), enhanced_code };
  return { ...usual, outcome, isSite: true, reason, wait_ms: null };
}

const later = { type: "transient", subtype: "general" } as const;

function classifyResponse(answer: Answer, given: { provider: string; remote: string | null; final: boolean }): Classified {
  const verdict = classifyAnswer({ ...answer, isRelay: !given.final });
  const reason = shown(answerFields(answer));
  // A relay handles everyone's email and is busy for its own reasons: one message per minute would stop all email over a problem of
  // seconds.
  const rest = { ...usual, reason, wait_ms: verdict.wait_ms, isSlow: verdict.means === "slow_site" && given.final };
  const ofRelay = { isPace: verdict.isPace, isAccount: verdict.means === "account" };
  if (verdict.result === "site") return { ...rest, ...ofRelay, ...siteOutcome(answer, given) };
  const known = knownOf(answer, given);
  if (verdict.result === "refused")
    return { ...rest, outcome: { ...known, result: "refused", bounce: verdict.bounce, suppress: verdict.suppress } };
  return { ...rest, outcome: { ...known, result: "deferred", bounce: verdict.bounce, retry_after_ms: verdict.wait_ms } };
}

function siteOutcome(answer: Answer, given: { provider: string; remote: string | null }): Pick<Classified, "outcome" | "isSite"> {
  return { isSite: true, outcome: { ...knownOf(answer, given), result: "deferred", bounce: later } };
}

function knownOf(answer: Answer, { provider, remote }: { provider: string; remote: string | null }) {
  const enhanced_code = answer.enhanced ?? readEnhanced(answer.text);
  return { provider, remote, smtp_code: answer.code, enhanced_code, diagnostic: shown(answerFields(answer)) };
}

function answerFields({ code, text }: Answer): string {
  return code === null ? text : `${code} ${text}`;
}

function shown(text: string): string {
  return text.replaceAll("\u0000", "").slice(0, longestDiagnostic).toWellFormed();
}
