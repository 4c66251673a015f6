import { defineWords, type Language } from "#platform/index.ts";
import type { TemplateName } from "../shapes.ts";

/** The facts that a sentence is made of. */
export interface CodeFacts {
  /** The name that the reader knows: the shop's. */
  brand: string;
  code: string;
  minutes: number;
}

type Sentence = (facts: CodeFacts) => string;

interface TemplateWords {
  /** Of an SMS, and the first sentence of an email. */
  text: Sentence;
  /** Of an email. A locked screen shows it, so it never contains the code. */
  subject: (facts: Pick<CodeFacts, "brand">) => string;
  /** Of a call, before the digits. */
  spoken: (facts: Pick<CodeFacts, "brand">) => string;
}

interface CodeWords extends Record<TemplateName, TemplateWords> {
  warning: string;
  ignored: string;
  expiry: (facts: Pick<CodeFacts, "minutes">) => string;
  /** Between two spoken digits. */
  pause: string;
  again: string;
}

const minutesOf = (minutes: number) => `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;

/** The texts of code messages, in every language. */
export const codeWords: Readonly<Record<Language, CodeWords>> = defineWords<CodeWords>({
  en: {
    code: {
      text: ({ brand, code, minutes }) =>
        `${code} is your ${brand} verification code. It expires in ${minutesOf(minutes)}. Don't share it with anyone.`,
      subject: ({ brand }) => `Your ${brand} verification code`,
      spoken: ({ brand }) => `Hello. Your ${brand} verification code is:`,
    },
    sign_in: {
      text: ({ brand, code, minutes }) =>
        `${code} is your ${brand} sign-in code. It expires in ${minutesOf(minutes)}. Don't share it with anyone.`,
      subject: ({ brand }) => `Your ${brand} sign-in code`,
      spoken: ({ brand }) => `Hello. Your ${brand} sign-in code is:`,
    },
    payment: {
      text: ({ brand, code, minutes }) =>
        `${code} is your code to confirm a payment to ${brand}. It expires in ${minutesOf(minutes)}. Don't share it with anyone.`,
      subject: ({ brand }) => `Confirm your payment to ${brand}`,
      spoken: ({ brand }) => `Hello. Your code to confirm a payment to ${brand} is:`,
    },
    warning: "No one will ever ask you for this code. Don't share it with anyone.",
    ignored: "If you didn't request it, you can ignore this message.",
    expiry: ({ minutes }) => `It expires in ${minutesOf(minutes)}.`,
    pause: ", ",
    again: "Again, your code is:",
  },
  zh: {
    code: {
      text: ({ brand, code, minutes }) => `【${brand}】验证码 ${code}，${minutes} 分钟内有效。请勿泄露给他人。`,
      subject: ({ brand }) => `${brand} 验证码`,
      spoken: ({ brand }) => `您好，您的${brand}验证码是：`,
    },
    sign_in: {
      text: ({ brand, code, minutes }) => `【${brand}】登录验证码 ${code}，${minutes} 分钟内有效。请勿泄露给他人。`,
      subject: ({ brand }) => `${brand} 登录验证码`,
      spoken: ({ brand }) => `您好，您的${brand}登录验证码是：`,
    },
    payment: {
      text: ({ brand, code, minutes }) => `【${brand}】支付验证码 ${code}，${minutes} 分钟内有效。请勿泄露给他人。`,
      subject: ({ brand }) => `确认您在 ${brand} 的付款`,
      spoken: ({ brand }) => `您好，您在${brand}的支付验证码是：`,
    },
    warning: "任何人都不会向您索要此验证码，请勿泄露给他人。",
    ignored: "如非本人操作，请忽略此消息。",
    expiry: ({ minutes }) => `${minutes} 分钟内有效。`,
    pause: "，",
    again: "再重复一遍，您的验证码是：",
  },
});
