import { IconSettings } from "@tabler/icons-react";
import { leadsAt } from "../../data/session.ts";
import type { Feature } from "../feature.ts";

export const settings: Feature = {
  pages: [
    { path: "/settings", load: () => import("./settings-page.tsx") },
    { path: "/new-project", load: () => import("./new-project-page.tsx") },
  ],
  nav: [{ path: "/settings", label: { en: "Settings", zh: "设置" }, icon: IconSettings, group: "account", order: 30 }],
  commands: [{ label: { en: "New project", zh: "新建项目" }, path: "/new-project", only: (here) => leadsAt(here.me).length > 0 }],
};
