import { IconBook2 } from "@tabler/icons-react";
import { defineWords } from "../../words/language.tsx";
import type { Feature } from "../feature.ts";

export const books: Feature = {
  pages: [{ path: "/transactions", load: () => import("./transactions-page.tsx") }],
  nav: [{ path: "/transactions", label: defineWords({ en: "Transactions", zh: "账目" }), icon: IconBook2, group: "money", order: 50 }],
};
