import { IconReceiptDollar } from "@tabler/icons-react";
import { defineWords } from "../../words/language.tsx";
import type { Feature } from "../feature.ts";

export const prices: Feature = {
  pages: [{ path: "/operator/prices", live: true, load: () => import("./prices-page.tsx") }],
  nav: [
    {
      path: "/operator/prices",
      label: defineWords({ en: "Message prices", zh: "价目表" }),
      icon: IconReceiptDollar,
      group: "operator",
      order: 24,
      only: (here) => here.me.is_operator,
    },
  ],
};
