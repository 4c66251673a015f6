import { defineWords } from "./language.tsx";

/** How much a merchant may send, as the operator chose. */
export const tierWords = defineWords({
  en: { free: "Free", starter: "Starter", pro: "Pro", enterprise: "Enterprise" },
  zh: { free: "免费版", starter: "入门版", pro: "专业版", enterprise: "企业版" },
});
