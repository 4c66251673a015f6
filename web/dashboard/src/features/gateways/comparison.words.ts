import { closeUp } from "../../words/close-up.ts";
import { defineWords } from "../../words/language.tsx";

export const comparisonWords = defineWords({
  en: {
    title: "Daily comparison",
    none: (name: string) => `Once a day, ${name}'s list of settled payments is compared with your books. The first whole day hasn't been compared yet.`,
    states: { equal: "No differences", different: "Differences found", failed: "Comparison failed", unlisted: "Not available" },
    equal: (name: string) => `${name}'s list of settled payments matches your books.`,
    equalEmpty: (name: string) => `${name} settled nothing on the last day, and your books agree.`,
    different: (name: string) =>
      `${name}'s list of settled payments doesn't match your books. Payments it confirms are booked automatically. Exceptions name the rest.`,
    failed: (name: string, why: string) =>
      `${name}'s list of settled payments couldn't be read: ${why}. It's tried again automatically, and no day is left out.`,
    unlisted: (name: string) => `${name} has no list of settled payments that could be compared with your books.`,
    seeExceptions: "See the exceptions",
    until: "Compared until",
    lines: "Payments and refunds on the last day",
    differences: "Differences",
    ranAt: "Last comparison",
    triedAt: "Last attempt",
  },
  zh: {
    title: "每日对账",
    none: (name) => closeUp(`系统每天会将 ${name} 的结算明细与账目核对。目前还没有对完整一天。`),
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
