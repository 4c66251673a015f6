import { IconPhone } from "@tabler/icons-react";
import { defineWords } from "../../words/language.tsx";
import type { Feature } from "../feature.ts";

export const calls: Feature = {
  pages: [
    { path: "/calls", load: () => import("./calls-page.tsx") },
    { path: "/calls/$id", load: () => import("./call-page.tsx") },
  ],
  nav: [
    {
      path: "/calls",
      label: defineWords({ en: "Calls", zh: "通话" }),
      icon: IconPhone,
      group: "messages",
      order: 12,
      only: (here) => here.may("readCalls"),
    },
  ],
  commands: [{ label: defineWords({ en: "Place call", zh: "拨打电话" }), path: "/calls?new=1", only: (here) => here.may("calls") }],
};
