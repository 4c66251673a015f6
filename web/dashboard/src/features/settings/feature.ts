import { IconSettings } from "@tabler/icons-react";
import { leadsAt } from "../../data/session.ts";
import { defineWords } from "../../words/language.tsx";
import type { Feature } from "../feature.ts";

export const settings: Feature = {
  pages: [
    { path: "/settings", load: () => import("./settings-page.tsx") },
    { path: "/new-project", load: () => import("./new-project-page.tsx") },
  ],
  nav: [{ path: "/settings", label: defineWords({ en: "Settings", zh: "设置" }), icon: IconSettings, group: "account", order: 30 }],
  commands: [
    { label: defineWords({ en: "New project", zh: "新建项目" }), path: "/new-project", only: (here) => leadsAt(here.me).length > 0 },
  ],
};
