import { IconMailPause } from "@tabler/icons-react";
import { useHere } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { defineWords, useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { When } from "../shown/when.tsx";

/** There is no event for an operator's decision. */
const lookMs = 15_000;
/** The server counts no further. */
const countedMost = 10_000;

const suspendedWords = defineWords({
  en: {
    title: "LIVE sending has been suspended since",
    reason: (text: string) => `Reason: ${text}`,
    refused: "New messages are refused.",
    waiting: (count: string, isOne: boolean) =>
      isOne
        ? `${count} message is on hold until the suspension is lifted.`
        : `${count} messages are on hold until the suspension is lifted.`,
    nothing: "No messages are on hold.",
    orMore: (count: string) => `${count} or more`,
    ask: "To lift it, contact the operator of this server.",
  },
  zh: {
    title: "正式环境的消息发送已暂停，开始时间：",
    reason: (text) => `原因：${text}`,
    refused: "新消息会被拒绝。",
    waiting: (count) => `${count} 条消息暂缓发送，解除后发出。`,
    nothing: "没有等待中的消息。",
    orMore: (count) => `至少 ${count}`,
    ask: "如需解除，请联系平台运营方。",
  },
});

/** Shows that an operator has suspended this merchant's LIVE messages, why, and what waits; otherwise nothing. */
export function SuspendedNote() {
  const words = useWords(suspendedWords);
  const all = useWords(shared);
  const { locale } = useLanguage();
  const here = useHere();
  const read = useApi("GET /v1/usage", { every: lookMs, enabled: here.livemode && here.may("messages") });
  const sending = read.data?.sending;
  if (!here.livemode || sending === undefined || sending.suspended_at === null) return null;
  const count = sending.waiting.toLocaleString(locale);
  const waiting = words.waiting(sending.waiting >= countedMost ? words.orMore(count) : count, sending.waiting === 1);
  return (
    <div className="note" data-tone="failed" role="status">
      <IconMailPause size={20} stroke={1.5} aria-hidden />
      <div>
        <p>
          <strong>
            {words.title} <When at={sending.suspended_at} long />
          </strong>
        </p>
        <p>{words.reason(sending.reason ?? "")}</p>
        <p>{all.inARow(words.refused, sending.waiting === 0 ? words.nothing : waiting, words.ask)}</p>
      </div>
    </div>
  );
}
