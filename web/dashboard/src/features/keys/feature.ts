import { IconKey } from "@tabler/icons-react";
import { defineWords } from "../../words/language.tsx";
import type { Feature } from "../feature.ts";

export const keys: Feature = {
  pages: [{ path: "/keys", load: () => import("./keys-page.tsx") }],
  nav: [
    {
      path: "/keys",
      label: defineWords({ en: "API keys", zh: "API 密钥" }),
      icon: IconKey,
      group: "build",
      order: 20,
      only: (here) => here.may("keys"),
    },
  ],
  commands: [{ label: defineWords({ en: "New API key", zh: "新建 API 密钥" }), path: "/keys?new=1", only: (here) => here.may("keys") }],
};
