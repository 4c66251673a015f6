import type { Language } from "./language.tsx";

interface Sentence {
  /** What the server says of a value. */
  says: RegExp;
  /** Without it, the server's own sentence is good enough to read. */
  en?: (found: string) => string;
  zh: (found: string) => string;
}

/** The server's sentences name its parameters, for programs; beside a field they would only confuse. */
const sentences: Sentence[] = [
  { says: / is required\.$| must not be empty\.$/, en: () => "This is needed.", zh: () => "请填写此项。" },
  {
    says: / must be an e-mail address\.$|^This is not an e-mail address/,
    en: () => "Write a whole e-mail address, such as ada@example.com.",
    zh: () => "请填写完整的邮箱地址，例如 ada@example.com。",
  },
  {
    says: / must have at least (\d+) characters\.$/,
    en: (count) => `At least ${count} characters.`,
    zh: (count) => `至少 ${count} 个字符。`,
  },
  {
    says: / must have at most (\d+) characters\.$/,
    en: (count) => `At most ${count} ${count === "1" ? "character" : "characters"}.`,
    zh: (count) => `最多 ${count} 个字符。`,
  },
  { says: / must be at least (\d+)\.$/, en: (least) => `At least ${least}.`, zh: (least) => `不能小于 ${least}。` },
  { says: / must be at most (\d+)\.$/, en: (most) => `At most ${most}.`, zh: (most) => `不能大于 ${most}。` },
  { says: /^slug has a value that is not allowed/, en: () => "Small letters, digits and hyphens only.", zh: () => "只能使用小写字母、数字和连字符。" },
  { says: / has a value that is not allowed\.$/, en: () => "This cannot be used here.", zh: () => "此项不能这样填写。" },
  { says: /has this slug/, en: () => "Another project has this short name already.", zh: () => "已有项目使用此短名。" },
  { says: /^The password is wrong/, zh: () => "密码不正确。" },
  { says: /^The password is too short: take at least (\d+)/, zh: (count) => `密码太短，至少 ${count} 个字符。` },
  {
    says: /^This password is too easy to guess/,
    en: () => "This password is too easy to guess. Take a few words that have nothing to do with each other, nor with you.",
    zh: () => "这个密码太容易被猜到。请用几个互不相干、也与您无关的词。",
  },
  { says: /^This is not a domain name/, zh: () => "这不是域名，正确的例子：mail.example.com。" },
  { says: /^This is the platform's own domain/, zh: () => "这是平台自己的域名，所有项目都可用它发送。" },
  { says: /^This project has this domain/, zh: () => "此项目已有该域名。" },
  { says: /^(.+) is neither an address nor a CIDR range/, zh: (found) => `${found} 不是 IP 地址或网段。` },
  { says: /must lie in the future/, en: () => "This must lie in the future.", zh: () => "时间必须在将来。" },
  { says: /^There is an account with this address/, zh: () => "此邮箱已有账号。" },
  { says: /^This is no statement of|^The statement's columns|^The file is no text/, zh: () => "这不是微信支付或支付宝的账单文件。" },
  { says: /has more than (\d+) rows/, zh: (count) => `账单超过 ${count} 行，请缩短导出的时间范围。` },
  { says: /^The file is no JPEG, PNG or WebP/, zh: () => "文件不是 JPEG、PNG 或 WebP 图片。" },
  { says: /^HEIC pictures/, zh: () => "无法读取 HEIC 图片。请存为 JPEG，或上传截图。" },
  { says: /^Give qr_asset_id/, en: () => "Add a picture of the code first.", zh: () => "请先上传收款码图片。" },
  { says: /^This passkey could not be verified/, zh: () => "无法验证此通行密钥，请重试。" },
  { says: /^Two-step sign-in is on already/, zh: () => "两步登录已开启。" },
  { says: /^Two-step sign-in is not/, zh: () => "两步登录未开启。" },
  { says: /^This code is not right/, zh: () => "验证码不正确或已使用过。" },
];

/** What is wrong by the code alone, where the sentence is not known. */
const byCode: Record<string, string> = {
  recipient_invalid: "不是有效的邮箱地址。",
  parameter_missing: "请填写此项。",
  parameter_unknown: "没有这个字段。",
  parameter_conflict: "与其他字段冲突。",
  header_not_allowed: "不允许使用此邮件头。",
  attachment_invalid: "附件无效。",
};
const otherwise = "此项填写有误，请检查后重试。";

interface Spoken {
  language: Language;
  /** The parameter that it is about: beside its field nobody needs its name. */
  param?: string | null | undefined;
  code?: string | undefined;
}

/** A fault of one value in the reader's words. */
export function sayFault(message: string, { language, param, code }: Spoken): string {
  for (const { says, en, zh } of sentences) {
    const found = says.exec(message);
    if (found !== null) return language === "zh" ? zh(found[1] ?? "") : (en?.(found[1] ?? "") ?? message);
  }
  if (language === "zh") return byCode[code ?? ""] ?? otherwise;
  return param != null && message.startsWith(`${param} `) ? `This${message.slice(param.length)}` : message;
}
