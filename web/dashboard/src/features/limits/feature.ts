import { IconShieldDollar, IconWorldX } from "@tabler/icons-react";
import type { Here } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { defineWords } from "../../words/language.tsx";
import type { Feature } from "../feature.ts";

const only = (here: Here) => here.may("messages");
const onlyOperators = (here: Here) => here.me.is_operator;
const lookMs = 60_000;

function usePauses(_here: Here): number | undefined {
  const read = useApi("GET /api/admin/messaging-pauses", {
    query: { status: ["active"], limit: 1, include: ["total_count"] },
    every: lookMs,
  });
  return read.data?.total_count;
}

export const limits: Feature = {
  pages: [
    { path: "/limits", live: true, load: () => import("./limits-page.tsx") },
    { path: "/operator/merchants/$id/caps/$projectId", live: true, load: () => import("./operator-caps-page.tsx") },
    { path: "/operator/reach", live: true, load: () => import("./reach-page.tsx") },
  ],
  nav: [
    {
      path: "/limits",
      label: defineWords({ en: "Countries and spend", zh: "地区与费用" }),
      icon: IconShieldDollar,
      group: "messages",
      order: 38,
      only,
    },
    {
      path: "/operator/reach",
      label: defineWords({ en: "Destinations", zh: "发送目的地" }),
      icon: IconWorldX,
      group: "operator",
      order: 25,
      only: onlyOperators,
      useCount: usePauses,
    },
  ],
};
