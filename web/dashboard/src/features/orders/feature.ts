import { IconReceipt2 } from "@tabler/icons-react";
import { defineWords } from "../../words/language.tsx";
import type { Feature } from "../feature.ts";

export const orders: Feature = {
  pages: [
    { path: "/orders", load: () => import("./orders-page.tsx") },
    { path: "/orders/$id", load: () => import("./order-page.tsx") },
  ],
  nav: [{ path: "/orders", label: defineWords({ en: "Orders", zh: "订单" }), icon: IconReceipt2, group: "money", order: 10, thumb: true }],
  commands: [{ label: defineWords({ en: "New order", zh: "新建订单" }), path: "/orders?new=1", only: (here) => here.may("orders") }],
};
