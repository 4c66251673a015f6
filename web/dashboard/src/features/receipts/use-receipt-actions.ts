import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useNotify } from "../../data/errors.tsx";
import { useAction } from "../../data/queries.ts";
import { useLanguage, useWords } from "../../words/language.tsx";
import { faultText } from "../../words/reasons.ts";
import { type Group, pairsOf } from "./group-receipts.ts";
import { receiptWords } from "./receipts.words.ts";

type Bulk = Objects["ReceiptBulk"];

/** A person's decisions about transfers. Each shows its result, refusals as text. */
export function useReceiptActions() {
  const words = useWords(receiptWords);
  const { language } = useLanguage();
  const notify = useNotify();
  const [busy, setBusy] = useState(false);
  const action = useAction<Bulk>("POST /api/v1/projects/{projectId}/receipts/bulk", { onRefused: () => true });
  const send = async (body: Record<string, unknown>): Promise<Bulk> => action.mutateAsync({ body });
  const say = (answers: readonly Bulk[], done: (count: number) => string) => {
    const refused = answers.flatMap(({ results }) => results.flatMap(({ error }) => error ?? []));
    const count = answers.reduce((sum, answer) => sum + answer.done, 0);
    if (refused[0] === undefined) return notify.done(done(count));
    const reason = faultText(refused[0], language);
    notify.failed(`${count > 0 ? `${done(count)} ` : ""}${words.refused(refused.length, reason)}`);
  };
  const link = async (groups: readonly Group[]) => {
    setBusy(true);
    const answers: Bulk[] = [];
    try {
      const links = groups.filter((group) => group.action === "link").flatMap((group) => pairsOf(group.receipts));
      if (links.length > 0) answers.push(await send({ action: "link", links }));
      for (const group of groups.filter(({ action: one }) => one === "set")) {
        const ids = { receipt_ids: group.receipts.map(({ id }) => id), order_ids: group.approved.map(({ id }) => id) };
        answers.push(await send({ action: "link_set", ...ids }));
      }
      say(answers, words.linked);
    } catch (error) {
      const count = answers.reduce((sum, answer) => sum + answer.done, 0);
      if (count === 0) notify.refused(error);
      else notify.failed(words.partly(words.linked(count)));
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    link,
    /** Throws a refusal: a dialog shows it. */
    assign: async (receipt_id: string, order_id: string) =>
      say([await send({ action: "link", links: [{ receipt_id, order_id }] })], words.linked),
    ignore: async (receipt_ids: string[], reason: string) => say([await send({ action: "ignore", receipt_ids, reason })], words.ignored),
    unlink: async (receipt_ids: string[]) => say([await send({ action: "unlink", receipt_ids })], words.unlinked),
  };
}
