import { defineWords, type Language } from "../../../words/language.tsx";

const silenceWords = defineWords({
  en: {
    timeout: "it didn't respond in time",
    connection: "the connection failed",
    breaker_open: "it hasn't responded recently",
  } as Record<string, string>,
  zh: { timeout: "响应超时", connection: "网络连接失败", breaker_open: "近期没有响应" },
});

/**
 * Why a provider couldn't be queried, for use after a colon: in the reader's language if the code is ours, otherwise in the provider's
 * words.
 */
export function saySilence(error: { code: string; message: string } | null, language: Language): string {
  const { code = "", message: reason = "" } = error ?? {};
  return silenceWords[language][code] ?? reason.replace(/[.。]$/, "");
}
