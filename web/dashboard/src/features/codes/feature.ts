import { IconQrcode } from "@tabler/icons-react";
import type { Feature } from "../feature.ts";

export const codes: Feature = {
  pages: [{ path: "/codes", load: () => import("./codes-page.tsx") }],
  nav: [{ path: "/codes", label: { en: "Receiving codes", zh: "收款码" }, icon: IconQrcode, group: "build", order: 10 }],
};
