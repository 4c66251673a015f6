import { IconAlertCircle } from "@tabler/icons-react";
import type { Here } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { defineWords } from "../../words/language.tsx";
import type { Feature } from "../feature.ts";

function useOpen(_here: Here): number | undefined {
  const read = useApi("GET /api/v1/projects/{projectId}/exceptions", { query: { status: ["open"], limit: 1, include: ["total_count"] } });
  return read.data?.total_count;
}

export const exceptions: Feature = {
  pages: [{ path: "/exceptions", load: () => import("./exceptions-page.tsx") }],
  nav: [
    {
      path: "/exceptions",
      label: defineWords({ en: "Exceptions", zh: "异常" }),
      icon: IconAlertCircle,
      group: "money",
      order: 30,
      thumb: true,
      useCount: useOpen,
    },
  ],
};
