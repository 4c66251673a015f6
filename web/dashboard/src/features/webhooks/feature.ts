import { IconWebhook } from "@tabler/icons-react";
import type { Feature } from "../feature.ts";

export const webhooks: Feature = {
  pages: [
    { path: "/webhooks", load: () => import("./webhooks-page.tsx") },
    { path: "/webhooks/$id", load: () => import("./webhook-page.tsx") },
  ],
  nav: [{ path: "/webhooks", label: { en: "Webhooks", zh: "Webhook" }, icon: IconWebhook, group: "build", order: 30, only: (here) => here.may("events") }],
  commands: [{ label: { en: "New webhook", zh: "新建 Webhook" }, path: "/webhooks?new=1", only: (here) => here.may("webhooks") }],
};
