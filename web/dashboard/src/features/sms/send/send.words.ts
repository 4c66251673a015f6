import { defineWords } from "../../../words/language.tsx";

export const sendWords = defineWords({
  en: {
    send: "Send SMS",
    title: "Send an SMS",
    to: "To",
    toTest: "Simulated numbers: messages to +15005551000 are delivered; those to +15005551001 aren't",
    from: "From",
    fromLive: "A number or sender name approved for this project",
    fromTest: "Defaults to +15005550006",
    text: "Message",
    length: (parts: number, encoding: string) => `${parts === 1 ? "1 part" : `${parts} parts`} · ${encoding}`,
    filled: (units: number, most: number) => `${units} of ${most} used`,
    tooLong: (most: number) => `This message is longer than ${most === 1 ? "1 part" : `${most} parts`}. Shorten it to send it.`,
    sent: "SMS queued",
  },
  zh: {
    send: "发送短信",
    title: "发送短信",
    to: "接收号码",
    toTest: "模拟号码：发往 +15005551000 会送达，发往 +15005551001 不会送达。",
    from: "发送方",
    fromLive: "已批准本项目使用的号码或名称",
    fromTest: "默认使用 +15005550006",
    text: "短信内容",
    length: (parts, encoding) => `${parts} 条 · ${encoding}`,
    filled: (units, most) => `已用 ${units} / ${most}`,
    tooLong: (most) => `内容超过 ${most} 条短信的长度，请缩短后发送。`,
    sent: "短信已提交",
  },
});
