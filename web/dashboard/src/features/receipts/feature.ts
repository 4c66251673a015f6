import { IconFileImport } from "@tabler/icons-react";
import type { Feature } from "../feature.ts";

export const receipts: Feature = {
  pages: [{ path: "/receipts", load: () => import("./receipts-page.tsx") }],
  nav: [{ path: "/receipts", label: { en: "Incoming transfers", zh: "到账" }, icon: IconFileImport, group: "money", order: 40 }],
  commands: [
    { label: { en: "Import a statement", zh: "导入账单" }, path: "/receipts?import=1", only: (here) => here.may("receipts") },
    { label: { en: "Add a transfer", zh: "登记到账" }, path: "/receipts?record=1", only: (here) => here.may("receipts") },
  ],
};
