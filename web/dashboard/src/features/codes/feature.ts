import { IconQrcode } from "@tabler/icons-react";
import { defineWords } from "../../words/language.tsx";
import type { Feature } from "../feature.ts";

export const codes: Feature = {
  pages: [{ path: "/codes", load: () => import("./codes-page.tsx") }],
  nav: [{ path: "/codes", label: defineWords({ en: "Receiving codes", zh: "收款码" }), icon: IconQrcode, group: "money", order: 60 }],
};
