import { IconShieldPause } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { defineWords, useWords } from "../../words/language.tsx";

type Channel = Objects["MessagingPause"]["channel"];

const lookMs = 60_000;
/** If there are more than these, they aren't listed one by one. */
const maxNamed = 3;

const pausedWords = defineWords({
  en: {
    title: {
      sms: (ranges: string) => `LIVE SMS to ${ranges} are paused`,
      call: (ranges: string) => `LIVE calls to ${ranges} are paused`,
      both: (ranges: string) => `LIVE SMS and calls to ${ranges} are paused`,
    },
    ranges: (named: readonly string[], more: number) => {
      const others = more === 0 ? [] : [more === 1 ? "1 more range" : `${more} more ranges`];
      return new Intl.ListFormat("en", { type: "conjunction" }).format([...named, ...others]);
    },
    text: "New ones are refused because the traffic looked like fraud (SMS pumping). Check the reason, and release the range if the traffic was genuine.",
    link: "Review paused ranges",
  },
  zh: {
    title: {
      sms: (ranges) => `发往 ${ranges} 的正式短信已暂停`,
      call: (ranges) => `拨往 ${ranges} 的正式通话已暂停`,
      both: (ranges) => `发往 ${ranges} 的正式短信和通话已暂停`,
    },
    ranges: (named, more) => (more === 0 ? named.join("、") : `${named.join("、")} 等 ${named.length + more} 个号段`),
    text: "流量疑似盗刷，新的请求会被拒绝。请查看原因；如属正常业务，可以恢复该号段。",
    link: "查看已暂停的号段",
  },
});

/** Shows which ranges of numbers the project's LIVE messages can't reach; otherwise nothing. */
export function PausedNote({ channels }: { channels: readonly Channel[] }) {
  const words = useWords(pausedWords);
  const here = useHere();
  const read = useApi("GET /api/v1/projects/{projectId}/messaging-pauses", {
    query: { status: ["active"], limit: 100 },
    every: lookMs,
    enabled: here.livemode,
  });
  const pauses = (read.data?.data ?? []).filter(({ channel }) => channels.includes(channel));
  const [first] = pauses;
  if (!here.livemode || first === undefined) return null;
  const ranges = [...new Set(pauses.map(({ prefix }) => `+${prefix}`))];
  const named = ranges.slice(0, maxNamed);
  const title = words.title[pauses.every(({ channel }) => channel === first.channel) ? first.channel : "both"];
  return (
    <div className="note" data-tone="failed" role="status">
      <IconShieldPause size={20} stroke={1.5} aria-hidden />
      <div>
        <p>
          <strong>{title(words.ranges(named, ranges.length - named.length))}</strong>
        </p>
        <p>{words.text}</p>
        <p>
          <Link to={here.to("/limits")}>{words.link}</Link>
        </p>
      </div>
    </div>
  );
}
