import { IconHistory, IconUsers } from "@tabler/icons-react";
import { defineWords } from "../../words/language.tsx";
import type { Feature } from "../feature.ts";

export const team: Feature = {
  pages: [
    { path: "/team", load: () => import("./team-page.tsx") },
    { path: "/audit", load: () => import("./audit-page.tsx") },
  ],
  nav: [
    { path: "/team", label: defineWords({ en: "Team", zh: "团队" }), icon: IconUsers, group: "account", order: 10 },
    {
      path: "/audit",
      label: defineWords({ en: "Audit log", zh: "审计日志" }),
      icon: IconHistory,
      group: "account",
      order: 20,
      only: (here) => here.may("members"),
    },
  ],
  commands: [{ label: defineWords({ en: "Invite someone", zh: "邀请成员" }), path: "/team?invite=1", only: (here) => here.may("members") }],
};
