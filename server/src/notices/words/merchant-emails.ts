import type { Emails } from "../kinds/facts.ts";

type MerchantEmails = Pick<Emails, "merchant_verified" | "merchant_rejected" | "sending_suspended" | "sending_resumed">;

const team = {
  en: (merchant: string, host: string) => `You're receiving this email because you manage ${merchant} at ${host}.`,
  zh: (merchant: string, host: string) => `您在 ${host} 管理 ${merchant}，因此收到本邮件。`,
};

const en: MerchantEmails = {
  merchant_verified: ({ url, merchant }, { host }) => ({
    subject: `${merchant} is verified`,
    preheader: "You can now accept real payments.",
    status: { tone: "paid", word: "Verified" },
    title: `${merchant} is verified`,
    lead: ["You can now accept real payments and send real messages. Switch to LIVE, create a LIVE key and add your LIVE receiving codes."],
    button: { label: "Open the dashboard", url },
    after: [],
    reason: team.en(merchant, host),
  }),
  merchant_rejected: ({ url, merchant, reason }, { host }) => ({
    subject: `${merchant} couldn't be verified`,
    preheader: "Real payments aren't available. TEST works as before.",
    status: { tone: "failed", word: "Not verified" },
    title: `${merchant} couldn't be verified`,
    lead: ["Real payments and messages aren't available. TEST works as before, and nothing you set up is lost."],
    ...(reason === null ? {} : { facts: [["Reason", reason]] as [string, string][] }),
    button: { label: "Open the dashboard", url },
    after: ["Fix the problem above, then ask the operator of this server to review your business again."],
    reason: team.en(merchant, host),
  }),
  sending_suspended: ({ url, merchant, reason }, { host }) => ({
    subject: `LIVE sending is suspended for ${merchant}`,
    preheader: "New messages are refused and queued ones are on hold. TEST works as before.",
    status: { tone: "failed", word: "Suspended" },
    title: `LIVE sending is suspended for ${merchant}`,
    lead: ["New LIVE messages from all your projects are refused, and queued ones are on hold. Orders, payments and TEST work as before."],
    ...(reason === null ? {} : { facts: [["Reason", reason]] as [string, string][] }),
    button: { label: "Open the dashboard", url },
    after: [
      "Fix the problem above, then ask the operator of this server to review it again. Messages that expire before then won't be sent.",
    ],
    reason: team.en(merchant, host),
  }),
  sending_resumed: ({ url, merchant }, { host }) => ({
    subject: `${merchant} can send LIVE messages again`,
    preheader: "Queued messages are on their way.",
    status: { tone: "paid", word: "Resumed" },
    title: `${merchant} can send LIVE messages again`,
    lead: ["The suspension was lifted. Queued messages that haven't expired are on their way, and new ones are accepted."],
    button: { label: "Open the dashboard", url },
    after: [],
    reason: team.en(merchant, host),
  }),
};

const zh: MerchantEmails = {
  merchant_verified: ({ url, merchant }, { host }) => ({
    subject: `${merchant} 已通过审核`,
    preheader: "现在可以在正式环境收款了。",
    status: { tone: "paid", word: "已通过审核" },
    title: `${merchant} 已通过审核`,
    lead: ["现在可以在正式环境收款和发送消息。请切换到正式环境，新建密钥并设置收款码。"],
    button: { label: "打开控制台", url },
    after: [],
    reason: team.zh(merchant, host),
  }),
  merchant_rejected: ({ url, merchant, reason }, { host }) => ({
    subject: `${merchant} 未通过审核`,
    preheader: "正式环境的收款暂未开通，测试环境不受影响。",
    status: { tone: "failed", word: "未通过审核" },
    title: `${merchant} 未通过审核`,
    lead: ["正式环境的收款和消息暂未开通。测试环境不受影响，您的设置都已保留。"],
    ...(reason === null ? {} : { facts: [["原因", reason]] as [string, string][] }),
    button: { label: "打开控制台", url },
    after: ["请根据上述原因修改，再联系平台运营方重新审核。"],
    reason: team.zh(merchant, host),
  }),
  sending_suspended: ({ url, merchant, reason }, { host }) => ({
    subject: `${merchant} 在正式环境的消息发送已暂停`,
    preheader: "新消息会被拒绝，已排队的消息暂缓发送。测试环境不受影响。",
    status: { tone: "failed", word: "已暂停" },
    title: `${merchant} 在正式环境的消息发送已暂停`,
    lead: ["您所有项目在正式环境的新消息都会被拒绝，已排队的消息暂缓发送。订单与收款照常，测试环境不受影响。"],
    ...(reason === null ? {} : { facts: [["原因", reason]] as [string, string][] }),
    button: { label: "打开控制台", url },
    after: ["请根据上述原因调整，再联系平台运营方重新审核。届时已过期的消息不会再发送。"],
    reason: team.zh(merchant, host),
  }),
  sending_resumed: ({ url, merchant }, { host }) => ({
    subject: `${merchant} 在正式环境的消息发送已恢复`,
    preheader: "已排队的消息正在发出。",
    status: { tone: "paid", word: "已恢复" },
    title: `${merchant} 在正式环境的消息发送已恢复`,
    lead: ["暂停已解除。已排队且未过期的消息正在发出，新消息可以正常发送。"],
    button: { label: "打开控制台", url },
    after: [],
    reason: team.zh(merchant, host),
  }),
};

/** The text for a merchant about an operator's decision on its business or its LIVE sending. */
export const merchantEmails = { en, zh };
