import { IconActivity, IconBuildingStore, IconEyeCheck, IconHistory, IconMailCog, IconMessage2X } from "@tabler/icons-react";
import type { Here } from "../../data/here.tsx";
import { defineWords } from "../../words/language.tsx";
import type { Feature } from "../feature.ts";

const only = (here: Here) => here.me.is_operator;

export const operator: Feature = {
  pages: [
    { path: "/operator/merchants", load: () => import("./merchants-page.tsx") },
    { path: "/operator/merchants/$id", load: () => import("./merchant-page.tsx") },
    { path: "/operator/proofs", load: () => import("./proofs-page.tsx") },
    { path: "/operator/health", load: () => import("./health-page.tsx") },
    { path: "/operator/mails", load: () => import("./mails-page.tsx") },
    { path: "/operator/refused-callbacks", load: () => import("./refused-callbacks-page.tsx") },
    { path: "/operator/audit", load: () => import("./whole-audit-page.tsx") },
  ],
  nav: [
    {
      path: "/operator/merchants",
      label: defineWords({ en: "Merchants", zh: "商户" }),
      icon: IconBuildingStore,
      group: "operator",
      order: 10,
      only,
    },
    {
      path: "/operator/proofs",
      label: defineWords({ en: "All proofs", zh: "全部待核对凭证" }),
      icon: IconEyeCheck,
      group: "operator",
      order: 15,
      only,
    },
    {
      path: "/operator/health",
      label: defineWords({ en: "System health", zh: "系统状况" }),
      icon: IconActivity,
      group: "operator",
      order: 20,
      only,
    },
    {
      path: "/operator/mails",
      label: defineWords({ en: "System emails", zh: "系统邮件" }),
      icon: IconMailCog,
      group: "operator",
      order: 30,
      only,
    },
    {
      path: "/operator/refused-callbacks",
      label: defineWords({ en: "Refused callbacks", zh: "被拒的回调" }),
      icon: IconMessage2X,
      group: "operator",
      order: 35,
      only,
    },
    {
      path: "/operator/audit",
      label: defineWords({ en: "Audit log (all merchants)", zh: "全部审计日志" }),
      icon: IconHistory,
      group: "operator",
      order: 40,
      only,
    },
  ],
};
