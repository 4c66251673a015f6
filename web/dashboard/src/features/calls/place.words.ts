import { defineWords } from "../../words/language.tsx";

export const placeWords = defineWords({
  en: {
    place: "Place call",
    title: "Place a call",
    to: "To",
    toTest: "Simulated numbers: +15005552000 answers, +15005552001 is busy, +15005552002 doesn't answer",
    from: "From",
    fromLive: "A number approved for this project",
    text: "Text to speak",
    textHint: "Spoken once the call is answered. Scripts with steps, audio and recordings are available through the API.",
    placed: "Call queued",
  },
  zh: {
    place: "拨打电话",
    title: "拨打电话",
    to: "被叫",
    toTest: "模拟号码：+15005552000 会接听，+15005552001 忙线，+15005552002 无人接听。",
    from: "主叫",
    fromLive: "已批准本项目使用的号码",
    text: "播报内容",
    textHint: "接听后播报。多步脚本、音频和录音请通过 API 使用。",
    placed: "通话已提交",
  },
});
