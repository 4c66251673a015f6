import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useNotify } from "../../data/errors.tsx";
import { useAction } from "../../data/queries.ts";
import type { Progress } from "../../parts/selection/working.tsx";
import { languageInfo, useLanguage, useWords } from "../../words/language.tsx";
import { faultText } from "../../words/reasons.ts";
import { type Group, onePerSet, pairsOf, type Receipt } from "./group-receipts.ts";
import { receiptWords } from "./receipts.words.ts";

type Bulk = Objects["ReceiptBulk"];
type Result = Bulk["results"][number];

/** One decision, in as many requests as it needs. */
interface Decision {
  requests: readonly Record<string, unknown>[];
  /** How many transfers it is about. */
  total: number;
  /** What was done to so many transfers. */
  done(count: number): string;
  /** How many transfers one result is about: 1 unless it is for a set. */
  sizeOf?(id: string): number;
  /** The text for a transfer that isn't as it was shown, instead of the one about orders. */
  conflict?: string;
}

/** Transfers per request: few enough that progress is seen, and that a proxy doesn't end the request. */
const perRequest = 50;

function inRequests<T>(items: readonly T[], bodyOf: (part: T[]) => Record<string, unknown>): Record<string, unknown>[] {
  const count = Math.ceil(items.length / perRequest);
  return Array.from({ length: count }, (_, index) => bodyOf(items.slice(index * perRequest, (index + 1) * perRequest)));
}

/** A person's decisions about transfers. Each shows its result, refusals as text. */
export function useReceiptActions() {
  const words = useWords(receiptWords);
  const { run, progress } = useDecisions();
  const notify = useNotify();
  const [busy, setBusy] = useState(false);
  const link = async (groups: readonly Group[]) => {
    const links = groups.filter(({ action }) => action === "link").flatMap(({ receipts }) => pairsOf(receipts));
    const sets = groups
      .filter(({ action }) => action === "set")
      .map(({ receipts, approved }) => ({ receipt_ids: receipts.map(({ id }) => id), order_ids: approved.map(({ id }) => id) }));
    const requests = [
      ...inRequests(links, (part) => ({ action: "link", links: part })),
      ...sets.map((set) => ({ action: "link_set", ...set })),
    ];
    const total = sets.reduce((sum, { receipt_ids }) => sum + receipt_ids.length, links.length);
    setBusy(true);
    await run({ requests, total, done: words.linked }).catch(notify.refused);
    setBusy(false);
  };
  return {
    busy,
    /** Null unless a decision needs several requests. */
    progress,
    link,
    /** Throws a refusal: a dialog shows it. */
    assign: (receipt_id: string, order_id: string) =>
      run({ requests: [{ action: "link", links: [{ receipt_id, order_id }] }], total: 1, done: words.linked }),
    ignore: (receipts: readonly Receipt[], reason: string) => {
      const ids = receipts.map(({ id }) => id);
      const requests = inRequests(ids, (receipt_ids) => ({ action: "ignore", receipt_ids, reason }));
      return run({ requests, total: ids.length, done: words.ignored, conflict: words.changed });
    },
    unlink: (receipts: readonly Receipt[]) => {
      const sizes = onePerSet(receipts);
      const requests = inRequests([...sizes.keys()], (receipt_ids) => ({ action: "unlink", receipt_ids }));
      const sizeOf = (id: string) => sizes.get(id) ?? 1;
      return run({ requests, total: receipts.length, done: words.unlinked, sizeOf, conflict: words.changed });
    },
  };
}

/** Sends decisions, one request after the other. What was done is shown even if a later request fails; otherwise, that is thrown. */
function useDecisions() {
  const words = useWords(receiptWords);
  const { language } = useLanguage();
  const notify = useNotify();
  const [progress, setProgress] = useState<Progress | null>(null);
  const action = useAction<Bulk>("POST /api/v1/projects/{projectId}/receipts/bulk", { onRefused: () => true });
  const sayRefused = (results: readonly Result[], { sizeOf = () => 1, conflict }: Decision): string[] => {
    const counts = new Map<string, number>();
    for (const { receipt_id, error } of results) {
      if (error === null) continue;
      const reason = error.code === "order_state_conflict" && conflict !== undefined ? conflict : faultText(error, language);
      counts.set(reason, (counts.get(reason) ?? 0) + sizeOf(receipt_id));
    }
    return [...counts].map(([reason, count]) => words.refused(count, reason));
  };
  const run = async (decision: Decision): Promise<void> => {
    const { requests, total, done, sizeOf = () => 1 } = decision;
    const results: Result[] = [];
    const sum = (some: readonly Result[]) => some.reduce((count, { receipt_id }) => count + sizeOf(receipt_id), 0);
    const changed = () => sum(results.filter(({ error }) => error === null));
    try {
      for (const body of requests) {
        if (requests.length > 1) setProgress({ done: sum(results), total });
        results.push(...(await action.mutateAsync({ body })).results);
      }
      const refused = sayRefused(results, decision);
      if (refused.length === 0) return notify.done(done(changed()));
      notify.failed([...(changed() > 0 ? [done(changed())] : []), ...refused].join(languageInfo(language).gap));
    } catch (error) {
      if (changed() === 0) throw error;
      notify.failed(words.partly(done(changed())));
    } finally {
      setProgress(null);
    }
  };
  return { run, progress };
}
