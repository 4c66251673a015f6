import { IconHash, IconListNumbers } from "@tabler/icons-react";
import type { Here } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { defineWords } from "../../words/language.tsx";
import type { Feature } from "../feature.ts";

const only = (here: Here) => here.may("messages");
const onlyOperators = (here: Here) => here.me.is_operator;
/** Operators get no event for a new request. */
const lookMs = 60_000;

function useWaiting(_here: Here): number | undefined {
  const read = useApi("GET /api/admin/numbers", { query: { status: ["requested"], limit: 1, include: ["total_count"] }, every: lookMs });
  return read.data?.total_count;
}

export const numbers: Feature = {
  pages: [
    { path: "/numbers", load: () => import("./numbers-page.tsx") },
    { path: "/operator/numbers", live: true, load: () => import("./operator-page.tsx") },
  ],
  nav: [
    { path: "/numbers", label: defineWords({ en: "Numbers", zh: "号码" }), icon: IconHash, group: "messages", order: 25, only },
    {
      path: "/operator/numbers",
      label: defineWords({ en: "All numbers", zh: "全部号码" }),
      icon: IconListNumbers,
      group: "operator",
      order: 17,
      only: onlyOperators,
      useCount: useWaiting,
    },
  ],
  commands: [{ label: defineWords({ en: "Request number", zh: "申请号码" }), path: "/numbers?new=1", only: (here) => here.may("numbers") }],
};
