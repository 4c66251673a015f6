import { IconShieldPause } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useHere } from "../data/here.tsx";
import { useApi } from "../data/queries.ts";
import { defineWords, useWords } from "../words/language.tsx";

const lookMs = 60_000;
/** More than these are not named one by one. */
const mostNamed = 3;

const pausedWords = defineWords({
  en: {
    title: (ranges: string, more: number) => `LIVE messages to ${more === 0 ? ranges : `${ranges} and ${more} more ranges`} are paused`,
    text: "What went there looked like SMS pumping. Look at the figures before you release a range:",
    link: "Countries and spend",
  },
  zh: {
    title: (ranges, more) => `发往 ${more === 0 ? ranges : `${ranges} 等 ${more + mostNamed} 个号段`} 的正式消息已暂停`,
    text: "流量疑似刷量，恢复前请先查看数据：",
    link: "国家与费用",
  },
});

/** Says which ranges of numbers the project's LIVE messages are kept from; else nothing. */
export function PausedNote() {
  const words = useWords(pausedWords);
  const here = useHere();
  const read = useApi("GET /api/v1/projects/{projectId}/messaging-pauses", {
    query: { status: ["active"], limit: 100 },
    every: lookMs,
    enabled: here.livemode,
  });
  const pauses = read.data?.data ?? [];
  if (!here.livemode || pauses.length === 0) return null;
  const named = pauses.slice(0, mostNamed).map(({ prefix }) => `+${prefix}`);
  return (
    <div className="note" data-tone="failed" role="status">
      <IconShieldPause size={20} stroke={1.5} aria-hidden />
      <div>
        <p>
          <strong>{words.title(named.join(", "), pauses.length - named.length)}</strong>
        </p>
        <p>
          {words.text} <Link to={here.to("/limits")}>{words.link}</Link>
        </p>
      </div>
    </div>
  );
}
