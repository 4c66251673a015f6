import { defineWords } from "../../../words/language.tsx";

export const partsWords = defineWords({
  en: {
    title: "Parts",
    part: (count: number, all: number) => (all === 1 ? "One part" : `Part ${count} of ${all}`),
    parts: (count: number) => (count === 1 ? "1 part" : `${count} parts`),
    full: (units: number, most: number) => `${units} of ${most}`,
    notAccepted: "Not accepted by a carrier",
    gsm: (count: number) => `GSM-7: ${count === 1 ? "a message" : "each part"} holds ${count === 1 ? 160 : 153} characters. € ^ { } [ ] \\ | ~ count as two.`,
    ucs: (count: number) =>
      `UCS-2: ${count === 1 ? "a message" : "each part"} holds ${count === 1 ? 70 : 67} characters instead of ${count === 1 ? 160 : 153}.`,
    because: "GSM-7 doesn't have",
    andMore: (count: number) => `and ${count} more`,
    reported: "Reported",
    carrierId: "Carrier's id",
    carrierSays: "Carrier's code",
  },
  zh: {
    title: "短信内容",
    part: (count, all) => (all === 1 ? "共 1 条" : `第 ${count} 条，共 ${all} 条`),
    parts: (count) => `${count} 条`,
    full: (units, most) => `${units} / ${most}`,
    notAccepted: "运营商未接受",
    gsm: (count) => `GSM-7：${count === 1 ? "一条" : "每条"}可容纳 ${count === 1 ? 160 : 153} 个字符，€ ^ { } [ ] \\ | ~ 各计两个。`,
    ucs: (count) => `UCS-2：${count === 1 ? "一条" : "每条"}可容纳 ${count === 1 ? 70 : 67} 个字符，而不是 ${count === 1 ? 160 : 153} 个。`,
    because: "GSM-7 不含",
    andMore: (count) => `等另外 ${count} 个字符`,
    reported: "回执时间",
    carrierId: "运营商编号",
    carrierSays: "运营商代码",
  },
});
