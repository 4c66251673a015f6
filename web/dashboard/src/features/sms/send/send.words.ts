import { defineWords } from "../../../words/language.tsx";

export const sendWords = defineWords({
  en: {
    send: "Send SMS",
    title: "Send an SMS",
    to: "To",
    toHint: "With the country code, such as +14155552671.",
    toTest: "Simulated: +15005551000 is delivered, +15005551001 isn't.",
    from: "From",
    fromLive: "A number or sender name approved for this project.",
    fromTest: "+15005550006 when empty",
    text: "Text",
    length: (parts: number, encoding: string) => `${parts === 1 ? "1 part" : `${parts} parts`} · ${encoding}`,
    filled: (units: number, most: number) => `${units} of ${most} used`,
    tooLong: (most: number) => `More than ${most === 1 ? "1 part" : `${most} parts`} can't be sent.`,
    sent: "Message accepted",
  },
  zh: {
    send: "发送短信",
    title: "发送短信",
    to: "接收方",
    toHint: "带国家代码，例如 +14155552671。",
    toTest: "模拟号码：+15005551000 会送达，+15005551001 不会送达。",
    from: "发送方",
    fromLive: "已批准本项目使用的号码或发送方名称。",
    fromTest: "留空则为 +15005550006",
    text: "内容",
    length: (parts, encoding) => `${parts} 条 · ${encoding}`,
    filled: (units, most) => `已用 ${units} / ${most}`,
    tooLong: (most) => `最多 ${most} 条，超出无法发送。`,
    sent: "短信已接收",
  },
});
