import { IconBuildingBank } from "@tabler/icons-react";
import { defineWords } from "../../words/language.tsx";
import type { Feature } from "../feature.ts";

export const gateways: Feature = {
  pages: [
    { path: "/gateways", load: () => import("./gateways-page.tsx") },
    { path: "/gateways/$slug/new", load: () => import("./add-account-page.tsx") },
    { path: "/gateways/$slug/$id", load: () => import("./account/account-page.tsx") },
  ],
  nav: [
    {
      path: "/gateways",
      label: defineWords({ en: "Gateways", zh: "支付渠道" }),
      icon: IconBuildingBank,
      group: "money",
      order: 65,
      only: (here) => here.may("accounts"),
    },
  ],
  commands: [
    { label: defineWords({ en: "Add gateway account", zh: "添加支付渠道账户" }), path: "/gateways", only: (here) => here.may("gateways") },
  ],
};
