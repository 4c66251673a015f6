import { IconChartBar, IconMail, IconMailOff, IconStack2, IconWorldCheck } from "@tabler/icons-react";
import type { Here } from "../../data/here.tsx";
import { defineWords } from "../../words/language.tsx";
import type { Feature } from "../feature.ts";

const only = (here: Here) => here.may("messages");

export const messages: Feature = {
  pages: [
    { path: "/messages", load: () => import("./messages-page.tsx") },
    { path: "/messages/$id", load: () => import("./message-page.tsx") },
    { path: "/batches", load: () => import("./batches-page.tsx") },
    { path: "/batches/$id", load: () => import("./batch-page.tsx") },
    { path: "/usage", load: () => import("./usage/usage-page.tsx") },
    { path: "/domains", load: () => import("./trust/domains-page.tsx") },
    { path: "/suppressions", load: () => import("./trust/suppressions-page.tsx") },
  ],
  nav: [
    { path: "/messages", label: defineWords({ en: "Emails", zh: "邮件" }), icon: IconMail, group: "messages", order: 10, only },
    { path: "/batches", label: defineWords({ en: "Batches", zh: "批次" }), icon: IconStack2, group: "messages", order: 15, only },
    { path: "/domains", label: defineWords({ en: "Domains", zh: "发件域名" }), icon: IconWorldCheck, group: "messages", order: 20, only },
    {
      path: "/suppressions",
      label: defineWords({ en: "Suppressions", zh: "屏蔽名单" }),
      icon: IconMailOff,
      group: "messages",
      order: 30,
      only,
    },
    { path: "/usage", label: defineWords({ en: "Usage", zh: "用量" }), icon: IconChartBar, group: "messages", order: 40, only },
  ],
  commands: [
    { label: defineWords({ en: "Add domain", zh: "添加发件域名" }), path: "/domains?new=1", only: (here) => here.may("domains") },
    {
      label: defineWords({ en: "Suppress address", zh: "屏蔽地址" }),
      path: "/suppressions?new=1",
      only: (here) => here.may("suppressions"),
    },
  ],
};
