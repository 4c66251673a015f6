import { verificationOf } from "../../../parts/verification-of.ts";
import { useWords } from "../../../words/language.tsx";
import type { Sms } from "./contact.tsx";
import { smsWords } from "./sms.words.ts";

/** What is shown instead of a missing text: codes are never shown, other texts are retained for a while. */
export function useMissingText(): (sms: Pick<Sms, "tags">) => string {
  const words = useWords(smsWords);
  return (sms) => (verificationOf(sms) === null ? words.noText : words.codeText);
}
