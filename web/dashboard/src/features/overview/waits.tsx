import { IconAlertCircle, IconCoins, IconEyeCheck, IconMessageReport, IconWebhook } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useHere } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { linkTo } from "../../parts/filters/search.ts";
import { RowSkeletons, Section, Trouble } from "../../parts/pages/page.tsx";
import { useWords } from "../../words/language.tsx";
import { isSwitchedOff } from "../webhooks/webhook.ts";
import { overviewWords } from "./overview.words.ts";

/**
 * A buyer's claim about a canceled order changes nothing. It is shown here for two weeks, and in the list of orders until it is dismissed.
 */
const claimedMs = 14 * 86_400_000;

/** What only a person can resolve: proofs, exceptions, webhooks that fail or that failing disabled. */
export function Waits() {
  const words = useWords(overviewWords);
  const here = useHere();
  const { reads, waiting } = useWaiting();
  const failed = reads.filter(({ error }) => error !== null);
  const [first] = failed;
  const again = () => {
    for (const { refetch } of failed) void refetch();
  };
  return (
    <Section title={words.waits}>
      {first === undefined ? null : <Trouble error={first.error} again={again} />}
      {first === undefined && waiting.length === 0 ? <Nothing isKnown={reads.every(({ isSuccess }) => isSuccess)} /> : null}
      <div className="waits">
        {waiting.map(({ path, icon: Icon, count, label, tone }) => (
          <Link key={label(count)} {...linkTo(here.to(path))} className="wait" data-tone={tone}>
            <Icon size={20} stroke={1.5} aria-hidden />
            <strong>{count}</strong> {label(count)}
          </Link>
        ))}
      </div>
    </Section>
  );
}

/** Only what was read can say that nothing waits. */
function Nothing({ isKnown }: { isKnown: boolean }) {
  const words = useWords(overviewWords);
  return isKnown ? <p className="soft">{words.nothingWaits}</p> : <RowSkeletons count={1} />;
}

/** What waits, by kind, and the reads that say so: without all of them, something may be missing. */
function useWaiting() {
  const words = useWords(overviewWords);
  const here = useHere();
  const review = useApi("GET /api/v1/projects/{projectId}/reviews/queue", { query: { limit: 1, include: ["total_count"] } });
  const exceptions = useApi("GET /api/v1/projects/{projectId}/exceptions", {
    query: { status: ["open"], limit: 1, include: ["total_count"] },
  });
  const claimed = useApi("GET /api/v1/projects/{projectId}/orders", {
    query: { "claimed[gte]": useMemo(() => new Date(Date.now() - claimedMs).toISOString(), []), limit: 1, include: ["total_count"] },
  });
  const webhooks = useApi("GET /api/v1/projects/{projectId}/webhooks", { query: { limit: 100 }, enabled: here.may("webhooks") });
  const codes = useApi("GET /api/v1/projects/{projectId}/collection-profiles", { query: { limit: 100 } });
  const crowded = (codes.data?.data ?? []).filter(({ enabled }) => enabled).flatMap(({ crowded_prices }) => crowded_prices).length;
  const endpoints = webhooks.data?.data ?? [];
  const failing = endpoints.filter(({ failing_since, status }) => failing_since !== null && status === "enabled").length;
  const switchedOff = endpoints.filter(isSwitchedOff).length;
  const kinds = [
    { path: "/review", icon: IconEyeCheck, count: review.data?.total_count ?? 0, label: words.toReview, tone: undefined },
    { path: "/exceptions", icon: IconAlertCircle, count: exceptions.data?.total_count ?? 0, label: words.exceptions, tone: undefined },
    { path: "/orders?claimed=1", icon: IconMessageReport, count: claimed.data?.total_count ?? 0, label: words.claimed, tone: undefined },
    { path: "/codes", icon: IconCoins, count: crowded, label: words.crowded, tone: undefined },
    { path: "/webhooks", icon: IconWebhook, count: failing, label: words.failing, tone: undefined },
    { path: "/webhooks", icon: IconWebhook, count: switchedOff, label: words.switchedOff, tone: "failed" },
  ];
  return {
    waiting: kinds.filter(({ count }) => count > 0),
    reads: [review, exceptions, claimed, codes, ...(here.may("webhooks") ? [webhooks] : [])],
  };
}
