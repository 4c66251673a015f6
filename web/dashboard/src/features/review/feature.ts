import { IconEyeCheck } from "@tabler/icons-react";
import type { Here } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { defineWords } from "../../words/language.tsx";
import type { Feature } from "../feature.ts";

function useWaiting(_here: Here): number | undefined {
  const read = useApi("GET /api/v1/projects/{projectId}/reviews/queue", { query: { limit: 1, include: ["total_count"] } });
  return read.data?.total_count;
}

export const review: Feature = {
  pages: [{ path: "/review", load: () => import("./review-page.tsx") }],
  nav: [
    {
      path: "/review",
      label: defineWords({ en: "Review", zh: "核对" }),
      icon: IconEyeCheck,
      group: "money",
      order: 20,
      thumb: true,
      useCount: useWaiting,
    },
  ],
};
