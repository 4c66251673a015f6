import { IconRouteSquare2 } from "@tabler/icons-react";
import { defineWords } from "../../words/language.tsx";
import type { Feature } from "../feature.ts";

export const transports: Feature = {
  pages: [{ path: "/operator/transports", live: true, load: () => import("./transports-page.tsx") }],
  nav: [
    {
      path: "/operator/transports",
      label: defineWords({ en: "Transports", zh: "发送通道" }),
      icon: IconRouteSquare2,
      group: "operator",
      order: 22,
      only: (here) => here.me.is_operator,
    },
  ],
};
