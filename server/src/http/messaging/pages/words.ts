import type { Language } from "#platform/index.ts";

/** The texts of the pages behind links in emails. */
export interface MailWords {
  ask: string;
  askLead(name: string, address: string): string;
  askNote: string;
  button: string;
  done: string;
  doneLead(name: string, address: string): string;
  leave: string;
  leaveLead(host: string): string;
  leaveNote: string;
  leaveButton(target: string): string;
  unknown: string;
  unknownLead: string;
  trouble: string;
  troubleLead: string;
  tryAgain: string;
  testWord: string;
  testMeaning: string;
}

const english: MailWords = {
  ask: "Unsubscribe?",
  askLead: (name, address) => `Stop emails from ${name} to ${address}.`,
  askNote: "Nothing changes until you confirm below.",
  button: "Unsubscribe",
  done: "You're unsubscribed",
  doneLead: (name, address) => `${name} won't email ${address} again. You can close this page.`,
  leave: "You're about to leave this site",
  leaveLead: (host) => `This link comes from an email whose sender hasn't been verified by the operator of ${host}. It goes to:`,
  leaveNote: "Continue only if you know the sender. Don't enter a password or pay there just because this email asks you to.",
  leaveButton: (target) => `Go to ${target}`,
  unknown: "This link doesn't work",
  unknownLead: "Your email app may have cut it off. Open it from the email again, or reply to the email and ask to be unsubscribed.",
  trouble: "Something went wrong",
  troubleLead: "Nothing was changed. Try again in a minute.",
  tryAgain: "Try again",
  testWord: "TEST",
  testMeaning: "No real emails are sent",
};

const chinese: MailWords = {
  ask: "退订邮件？",
  askLead: (name, address) => `不再接收“${name}”发到 ${address} 的邮件。`,
  askNote: "点击按钮后才会生效。",
  button: "退订",
  done: "已退订",
  doneLead: (name, address) => `“${name}”不会再向 ${address} 发送邮件。现在可以关闭此页面。`,
  leave: "此链接将离开本站",
  leaveLead: (host) => `它来自一封邮件，发件方尚未通过 ${host} 运营方的审核。链接指向：`,
  leaveNote: "仅在认识发件方时继续。请勿仅凭这封邮件在该网站输入密码或付款。",
  leaveButton: (target) => `前往 ${target}`,
  unknown: "链接无效",
  unknownLead: "链接可能被邮件程序截断了。请从邮件中重新打开，或直接回复邮件要求退订。",
  trouble: "暂时无法处理",
  troubleLead: "没有任何更改。请过一分钟再试。",
  tryAgain: "重试",
  testWord: "测试",
  testMeaning: "这里不会发送真实邮件",
};

export const mailPageWords: Record<Language, MailWords> = { en: english, zh: chinese };
