import { IconLayoutDashboard } from "@tabler/icons-react";
import { defineWords } from "../../words/language.tsx";
import type { Feature } from "../feature.ts";

export const overview: Feature = {
  pages: [{ path: "/", load: () => import("./overview-page.tsx") }],
  nav: [
    { path: "/", label: defineWords({ en: "Overview", zh: "概览" }), icon: IconLayoutDashboard, group: "money", order: 0, thumb: true },
  ],
};
