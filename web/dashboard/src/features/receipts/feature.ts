import { IconFileImport } from "@tabler/icons-react";
import { defineWords } from "../../words/language.tsx";
import type { Feature } from "../feature.ts";

export const receipts: Feature = {
  pages: [{ path: "/receipts", load: () => import("./receipts-page.tsx") }],
  nav: [
    { path: "/receipts", label: defineWords({ en: "Incoming transfers", zh: "到账" }), icon: IconFileImport, group: "money", order: 40 },
  ],
  commands: [
    { label: defineWords({ en: "Import statement", zh: "导入账单" }), path: "/receipts?import=1", only: (here) => here.may("receipts") },
    { label: defineWords({ en: "Add transfer", zh: "登记到账" }), path: "/receipts?record=1", only: (here) => here.may("receipts") },
  ],
};
