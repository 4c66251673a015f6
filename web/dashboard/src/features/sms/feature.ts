import { IconMessage } from "@tabler/icons-react";
import { defineWords } from "../../words/language.tsx";
import type { Feature } from "../feature.ts";

export const sms: Feature = {
  pages: [
    { path: "/sms", load: () => import("./sms-page.tsx") },
    { path: "/sms/threads", load: () => import("./threads/threads-page.tsx") },
    { path: "/sms/threads/$contact/$number", load: () => import("./threads/thread-page.tsx") },
    { path: "/sms/$id", load: () => import("./message/text-page.tsx") },
  ],
  nav: [
    {
      path: "/sms",
      label: defineWords({ en: "SMS", zh: "短信" }),
      icon: IconMessage,
      group: "messages",
      order: 11,
      only: (here) => here.may("readSms"),
    },
  ],
  commands: [{ label: defineWords({ en: "Send SMS", zh: "发送短信" }), path: "/sms?new=1", only: (here) => here.may("sms") }],
};
