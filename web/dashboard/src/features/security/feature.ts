import { IconShieldLock } from "@tabler/icons-react";
import { defineWords } from "../../words/language.tsx";
import type { Feature } from "../feature.ts";

export const security: Feature = {
  pages: [{ path: "/security", load: () => import("./security-page.tsx") }],
  nav: [
    { path: "/security", label: defineWords({ en: "Your account", zh: "账号与安全" }), icon: IconShieldLock, group: "account", order: 40 },
  ],
};
