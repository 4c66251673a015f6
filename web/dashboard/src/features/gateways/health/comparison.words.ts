import { closeUp } from "../../../words/close-up.ts";
import { defineWords } from "../../../words/language.tsx";

export const comparisonWords = defineWords({
  en: {
    title: "Daily comparison",
    none: (name: string) =>
      `Once a day, ${name}'s list of settled payments is compared with your books. The first full day hasn't been compared yet.`,
    states: { equal: "No differences", different: "Differences found", failed: "Comparison failed", unlisted: "Not available" },
    equal: (name: string) => `${name}'s list of settled payments matches your books.`,
    equalEmpty: (name: string) => `${name} settled nothing on the last day, and your books agree.`,
    different: (name: string) =>
      `${name}'s list of settled payments doesn't match your books. Payments it confirms are booked automatically. See Exceptions for the rest.`,
    failed: (name: string, why: string) =>
      `Couldn't read ${name}'s list of settled payments: ${why}. Tillpost retries automatically and won't skip a day.`,
    unlisted: (name: string) => `${name} doesn't provide a list of settled payments to compare with your books.`,
    seeExceptions: "View exceptions",
    until: "Compared through",
    lines: "Payments and refunds on the last day",
    differences: "Differences",
    ranAt: "Last comparison",
    triedAt: "Last attempt",
  },
  zh: {
    title: "每日对账",
    none: (name) => closeUp(`系统每天会将 ${name} 的结算明细与账目核对。目前还没有完成过一整天的对账。`),
    states: { equal: "账目一致", different: "存在差异", failed: "对账失败", unlisted: "不支持" },
    equal: (name) => closeUp(`${name} 的结算明细与账目一致。`),
    equalEmpty: (name) => closeUp(`${name} 最近一天没有结算，与账目一致。`),
    different: (name) => closeUp(`${name} 的结算明细与账目不一致。经 ${name} 确认的付款已自动入账，其余列入异常。`),
    failed: (name, why) => closeUp(`无法读取 ${name} 的结算明细：${why}。系统会自动重试，不会遗漏任何一天。`),
    unlisted: (name) => closeUp(`${name} 没有可供核对的结算明细。`),
    seeExceptions: "查看异常",
    until: "已核对至",
    lines: "最近一天的收款与退款",
    differences: "差异",
    ranAt: "上次对账",
    triedAt: "上次尝试",
  },
});
