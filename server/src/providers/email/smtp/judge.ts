import { type Answer, classifyAnswer, readEnhanced, type SendOutcome } from "#messaging/index.ts";
import type { Exchange, OpenFailure } from "./conversation.ts";

/** What an exchange means. `outcome` null: the site as a whole is to be left alone, and the message was not really tried. */
export interface Judged {
  outcome: SendOutcome | null;
  reason: string;
  wait_ms: number | null;
  isSlow: boolean;
}

const longestDiagnostic = 1_000;

export function judge(exchange: Exchange, given: { provider: string; remote: string; final: boolean }): Judged {
  const { provider, remote, final } = given;
  const plain = { wait_ms: null, isSlow: false };
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
    const outcome: SendOutcome = { provider, remote, result: "deferred", bounce: { type: "transient", subtype: "general" }, diagnostic: shown(reason) };
    return { ...plain, outcome, reason };
  }
  return judgeAnswer(exchange.answer, { provider, remote });
}

/** Whatever keeps a conversation from beginning concerns the site. */
export function judgeOpening(failure: OpenFailure): Judged {
  if (failure.kind !== "answer") {
    return {
      outcome: null,
      reason: failure.kind === "tls" ? `TLS failed (${failure.reason})` : `cannot be reached (${failure.reason})`,
      wait_ms: null,
      isSlow: false,
    };
  }
  const verdict = classifyAnswer(failure.answer);
  return { outcome: null, reason: shown(said(failure.answer)), wait_ms: verdict.wait_ms, isSlow: verdict.means === "slow_site" };
}

function judgeAnswer(answer: Answer, given: { provider: string; remote: string }): Judged {
  const verdict = classifyAnswer(answer);
  const reason = shown(said(answer));
  const known = { ...given, smtp_code: answer.code, enhanced_code: answer.enhanced ?? readEnhanced(answer.text), diagnostic: reason };
  const rest = { reason, wait_ms: verdict.wait_ms, isSlow: verdict.means === "slow_site" };
  if (verdict.result === "site") return { ...rest, outcome: null };
  if (verdict.result === "refused") return { ...rest, outcome: { ...known, result: "refused", bounce: verdict.bounce, suppress: verdict.suppress } };
  return { ...rest, outcome: { ...known, result: "deferred", bounce: verdict.bounce, retry_after_ms: verdict.wait_ms } };
}

function said({ code, text }: Answer): string {
  return code === null ? text : `${code} ${text}`;
}

function shown(text: string): string {
  return text.replaceAll("\u0000", "").slice(0, longestDiagnostic).toWellFormed();
}
