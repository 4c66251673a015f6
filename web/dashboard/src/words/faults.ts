import { defineWords, firstLanguage, type Language } from "./language.tsx";
import { reasonWords } from "./reasons.ts";

type Reason = keyof (typeof reasonWords)[Language];

/** The server's sentences name its parameters, for programs; beside a field they would only confuse. */
const sentences: [says: RegExp, reason: Reason][] = [
  [/ is required\.$| must not be empty\.$/, "required"],
  [/ must be an e-mail address\.$|^This is not an e-mail address/, "not_an_email"],
  [/ must have at least (?<min>\d+) characters\.$/, "too_short"],
  [/ must have at most (?<max>\d+) characters\.$/, "too_long"],
  [/ must be at least (?<min>\d+)\.$/, "too_small"],
  [/ must be at most (?<max>\d+)\.$/, "too_large"],
  [/^slug has a value that is not allowed/, "slug_characters"],
  [/ has a value that is not allowed\.$/, "not_allowed"],
  [/has this slug/, "slug_taken"],
  [/^The password is wrong/, "password_wrong"],
  [/^The password is too short: take at least (?<min>\d+)/, "password_too_short"],
  [/^This password is too easy to guess/, "password_guessable"],
  [/^This is not a domain name/, "not_a_domain"],
  [/^This is the platform's own domain/, "platform_domain"],
  [/^This project has this domain/, "domain_exists"],
  [/^(?<value>.+) is neither an address nor a CIDR range/, "not_an_address_range"],
  [/must lie in the future/, "not_in_future"],
  [/^There is an account with this address/, "account_exists"],
  [/^This is no statement of|^The statement's columns|^The file is no text/, "not_a_statement"],
  [/has more than (?<max>\d+) rows/, "too_many_rows"],
  [/^The file is no JPEG, PNG or WebP/, "not_a_picture"],
  [/^HEIC pictures/, "heic_picture"],
  [/^Give qr_asset_id/, "code_missing"],
  [/^This passkey could not be verified/, "passkey_unverified"],
  [/^Two-step sign-in is on already/, "two_step_on"],
  [/^Two-step sign-in is not/, "two_step_off"],
  [/^This code is not right/, "code_wrong"],
];

/** What is wrong by the code alone, where the sentence is not known. */
const byCode = defineWords<Record<string, string>>({
  en: {},
  zh: {
    recipient_invalid: "不是有效的邮箱地址。",
    parameter_missing: "请填写此项。",
    parameter_unknown: "没有这个字段。",
    parameter_conflict: "与其他字段冲突。",
    header_not_allowed: "不允许使用此邮件头。",
    attachment_invalid: "附件无效。",
    other: "此项填写有误，请检查后重试。",
  },
});

interface Spoken {
  language: Language;
  /** The parameter that it is about: beside its field nobody needs its name. */
  param?: string | null | undefined;
  code?: string | undefined;
}

/** A fault of one value in the reader's words. */
export function sayFault(message: string, { language, param, code }: Spoken): string {
  for (const [says, reason] of sentences) {
    const found = says.exec(message);
    if (found === null) continue;
    const words = reasonWords[language][reason];
    return typeof words === "string" ? words : words(found.groups ?? {});
  }
  if (language !== firstLanguage) {
    const known = byCode[language];
    return known[code ?? ""] ?? known["other"] ?? message;
  }
  return param != null && message.startsWith(`${param} `) ? `This${message.slice(param.length)}` : message;
}
