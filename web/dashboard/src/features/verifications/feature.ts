import { IconShieldCheck } from "@tabler/icons-react";
import { defineWords } from "../../words/language.tsx";
import type { Feature } from "../feature.ts";

export const verifications: Feature = {
  pages: [
    { path: "/verifications", load: () => import("./verifications-page.tsx") },
    { path: "/verifications/$id", load: () => import("./verification-page.tsx") },
  ],
  nav: [
    {
      path: "/verifications",
      label: defineWords({ en: "Verifications", zh: "验证" }),
      icon: IconShieldCheck,
      group: "messages",
      order: 13,
      only: (here) => here.may("messages"),
    },
  ],
};
