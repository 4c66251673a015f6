import { defineWords } from "../../../words/language.tsx";

export const partsWords = defineWords({
  en: {
    title: "Parts",
    part: (count: number, all: number) => (all === 1 ? "1 part" : `Part ${count} of ${all}`),
    parts: (count: number) => (count === 1 ? "1 part" : `${count} parts`),
    full: (units: number, most: number) => `${units} of ${most} ${most === 1 ? "character" : "characters"}`,
    notAccepted: "Not accepted by the carrier",
    gsm: (count: number) =>
      `GSM-7: ${count === 1 ? "a message" : "each part"} holds ${count === 1 ? 160 : 153} characters. € ^ { } [ ] \\ | ~ count twice.`,
    ucs: (count: number) =>
      `UCS-2: ${count === 1 ? "a message" : "each part"} holds ${count === 1 ? 70 : 67} characters instead of ${count === 1 ? 160 : 153}.`,
    because: "Not in GSM-7:",
    andMore: (count: number) => `and ${count} more`,
    reported: "Delivery report",
    carrierId: "Carrier message ID",
    carrierSays: "Carrier code",
  },
  zh: {
    title: "短信内容",
    part: (count, all) => (all === 1 ? "共 1 条" : `第 ${count} 条，共 ${all} 条`),
    parts: (count) => `${count} 条`,
    full: (units, most) => `${units} / ${most} 个字符`,
    notAccepted: "运营商未受理",
    gsm: (count) => `GSM-7 编码：${count === 1 ? "单条" : "每条"}最多 ${count === 1 ? 160 : 153} 个字符，€ ^ { } [ ] \\ | ~ 各计 2 个。`,
    ucs: (count) =>
      `UCS-2 编码：${count === 1 ? "单条" : "每条"}最多 ${count === 1 ? 70 : 67} 个字符，而不是 ${count === 1 ? 160 : 153} 个。`,
    because: "不属于 GSM-7 的字符：",
    andMore: (count) => `另有 ${count} 个`,
    reported: "回执时间",
    carrierId: "运营商消息编号",
    carrierSays: "运营商代码",
  },
});
