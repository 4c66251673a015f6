import { IconWebhook } from "@tabler/icons-react";
import { defineWords } from "../../words/language.tsx";
import type { Feature } from "../feature.ts";

export const webhooks: Feature = {
  pages: [
    { path: "/webhooks", load: () => import("./webhooks-page.tsx") },
    { path: "/webhooks/$id", load: () => import("./webhook-page.tsx") },
  ],
  nav: [
    {
      path: "/webhooks",
      label: defineWords({ en: "Webhooks", zh: "Webhook" }),
      icon: IconWebhook,
      group: "build",
      order: 30,
      only: (here) => here.may("events"),
    },
  ],
  commands: [
    { label: defineWords({ en: "New webhook", zh: "新建 Webhook" }), path: "/webhooks?new=1", only: (here) => here.may("webhooks") },
  ],
};
