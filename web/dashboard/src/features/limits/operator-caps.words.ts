import { defineWords } from "../../words/language.tsx";

export const operatorCapWords = defineWords({
  en: {
    title: "Spend and caps",
    titleOf: (project: string) => `${project}: spend and caps`,
    text: "LIVE SMS, calls and verification codes of this project. TEST has no caps.",
    capsText:
      "Caps you set here replace the ones of the merchant's tier and can be higher or lower. Leave a field blank to use the tier's. Merchants can only lower their caps. Days and months are in UTC.",
    save: "Save caps",
    saved: "Caps saved",
  },
  zh: {
    title: "费用与上限",
    titleOf: (project) => `${project}：费用与上限`,
    text: "本项目的正式短信、通话和验证码。测试环境没有上限。",
    capsText: "在此设置的上限会取代商户套餐的上限，可高可低；留空则使用套餐的上限。商户只能设置更低的上限。日、月均按 UTC 计算。",
    save: "保存上限",
    saved: "上限已保存",
  },
});
