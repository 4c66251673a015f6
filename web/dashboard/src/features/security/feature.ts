import { IconShieldLock } from "@tabler/icons-react";
import type { Feature } from "../feature.ts";

export const security: Feature = {
  pages: [{ path: "/security", load: () => import("./security-page.tsx") }],
  nav: [{ path: "/security", label: { en: "Your account", zh: "您的账号" }, icon: IconShieldLock, group: "account", order: 40 }],
};
