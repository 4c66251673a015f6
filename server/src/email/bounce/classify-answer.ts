import type { BounceKind } from "../transport.ts";
import { answerRules, type Meaning, type Stage } from "./answer-rules.ts";

/** One response of a mail server. */
export interface Answer {
  stage: Stage;
  /** null if there is none, as in reports that come by email. */
  code: number | null;
  /** For example `5.1.1`. Read from the text if it is there. */
  enhanced: string | null;
  text: string;
  /** Sent by the relay that forwards our email, not by the recipient's own server. */
  isRelay?: boolean;
}

export interface Verdict {
  means: Meaning;
  /** `site`: nothing is wrong with the message; pause all email to the site for a while. */
  result: "refused" | "deferred" | "site";
  bounce: BounceKind;
  /** The mailbox doesn't exist, so nothing more may be sent to it. Never because of our own reputation. */
  suppress: boolean;
  /** The wait that the response itself requests. A hint: at most an hour. */
  wait_ms: number | null;
  /** A relay's limit per second or minute, which a slower pace keeps. */
  isPace: boolean;
}

interface Consequence {
  /** `by code`: 5xx refuses, 4xx defers. */
  result: Verdict["result"] | "by code";
  subtype: BounceKind["subtype"];
  suppress?: true;
}

const consequences: Record<Meaning, Consequence> = {
  no_mailbox: { result: "refused", subtype: "no_email", suppress: true },
  no_domain: { result: "refused", subtype: "dns", suppress: true },
  mailbox_full: { result: "deferred", subtype: "mailbox_full" },
  too_large: { result: "by code", subtype: "message_too_large" },
  blocked: { result: "by code", subtype: "blocked" },
  policy: { result: "by code", subtype: "blocked" },
  content: { result: "by code", subtype: "content_rejected" },
  relaying: { result: "by code", subtype: "general" },
  sender: { result: "by code", subtype: "blocked" },
  unsupported: { result: "by code", subtype: "content_rejected" },
  greylisted: { result: "deferred", subtype: "general" },
  slow_mailbox: { result: "deferred", subtype: "general" },
  temporary: { result: "deferred", subtype: "general" },
  slow_site: { result: "site", subtype: "general" },
  quota: { result: "site", subtype: "general" },
  account: { result: "site", subtype: "general" },
  site_down: { result: "site", subtype: "general" },
  permanent: { result: "refused", subtype: "general" },
};

/**
 * A relay that checks with the recipient's server first quotes its response. That server's operator writes it, so it must not stop
 * everyone's email.
 */
const quotesReceiver =
  /\bhost \S+ ?\[[^\]]{1,60}\] said|in reply to (the |end of )?(rcpt|mail|data|helo|ehlo|end)|response to "(rcpt|mail|data|helo|ehlo)|unverified address|\bcall(out|back)\b|remote (host|server|mail server) (said|answered|responded)/;

/** If a relay refuses to relay for us, one side is configured wrongly: the message is fine, and someone will fix it. */
const notPassedOn: Consequence = { result: "deferred", subtype: "general" };

const longestWaitMs = 3_600_000;
/** No response says when a daily or monthly quota resets, so the relay is tried again twice an hour. */
const quotaWaitMs = 1_800_000;

/** Returns what a response means for its message, recipient and site, by the table of rules. */
export function classifyAnswer(answer: Answer): Verdict {
  const text = answer.text.toLowerCase();
  const code = answer.code === null ? "" : String(answer.code);
  const enhanced = answer.enhanced ?? readEnhanced(answer.text) ?? "";
  const from = answer.isRelay === true ? "relay" : "receiver";
  const rule = answerRules.find(
    (one) =>
      (one.from === undefined || one.from === from) &&
      (one.stage === undefined || one.stage.includes(answer.stage)) &&
      (one.code === undefined || one.code.test(code)) &&
      (one.enhanced === undefined || one.enhanced.test(enhanced)) &&
      (one.text === undefined || one.text.test(text)),
  );
  const means = rule?.means ?? "temporary";
  const { result: wanted, subtype, suppress } = from === "relay" && means === "relaying" ? notPassedOn : consequences[means];
  const isPermanent = code === "" ? enhanced.startsWith("5") : code.startsWith("5");
  const classified = wanted === "by code" ? (isPermanent ? "refused" : "deferred") : wanted;
  const result = classified === "site" && from === "relay" && quotesReceiver.test(text) ? "deferred" : classified;
  return {
    means,
    result,
    bounce: { type: result === "refused" ? "permanent" : "transient", subtype },
    suppress: suppress === true,
    ...waitOf(means, text),
  };
}

function waitOf(means: Meaning, text: string): Pick<Verdict, "wait_ms" | "isPace"> {
  const waitMs = readWait(text);
  if (means !== "quota") return { wait_ms: waitMs, isPace: false };
  const isShort = /per (second|minute)|\brate\b/.test(text) && !/\b(daily|hourly|weekly|monthly|per (hour|day|week|month))\b/.test(text);
  return isShort ? { wait_ms: waitMs, isPace: waitMs === null } : { wait_ms: Math.max(waitMs ?? 0, quotaWaitMs), isPace: false };
}

/** The enhanced code at the beginning of a response's text. */
export function readEnhanced(text: string): string | null {
  return /(?:^|[\s\-(#])([245]\.\d{1,3}\.\d{1,3})(?=[\s:)\-,]|$)/.exec(text.slice(0, 200))?.[1] ?? null;
}

/** "try again in 5 minutes", "retry in 300 seconds", "will be back in 00:05:00". */
function readWait(text: string): number | null {
  const clock = /(?:in|for|after) (?:0?(\d):)?(\d\d):(\d\d)\b/.exec(text);
  if (clock !== null) return capped(Number(clock[1] ?? 0) * 3_600 + Number(clock[2]) * 60 + Number(clock[3]));
  const words =
    /(?:again|retry|back|wait|later|greylist\w*|deferred)\D{0,40}?(\d{1,5}) ?(s|sec|secs|seconds?|m|min|mins|minutes?|h|hours?)\b/.exec(
      text,
    );
  if (words === null) return null;
  const unit = words[2]?.[0];
  return capped(Number(words[1]) * (unit === "h" ? 3_600 : unit === "m" ? 60 : 1));
}

function capped(seconds: number): number | null {
  return seconds <= 0 ? null : Math.min(seconds * 1_000, longestWaitMs);
}
