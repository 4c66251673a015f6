import type { Emails } from "../kinds/facts.ts";

type NumberEmails = Pick<Emails, "number_approved" | "number_rejected">;

const uses = { en: { sms: "SMS", call: "Calls" }, zh: { sms: "短信", call: "通话" } };

const en: NumberEmails = {
  number_approved: ({ url, project, value, channels, countries }, { host, countryNames }) => ({
    subject: `${value} is approved`,
    preheader: `${project} can now use it in LIVE.`,
    status: { tone: "paid", word: "Approved" },
    title: `${value} is approved`,
    lead: [`${project} can now use ${value} in LIVE. Use it as the sender (from) of your messages and calls.`],
    facts: [
      ["Project", project],
      ["Channels", channels.map((channel) => uses.en[channel]).join(", ")],
      ["Countries", countries === null ? "All countries your project can reach" : countryNames(countries).join(", ")],
    ],
    button: { label: "View numbers", url },
    after: [],
    reason: `You're receiving this email because you manage ${project} at ${host}.`,
  }),
  number_rejected: ({ url, project, value, wasApproved, reason }, { host }) => ({
    subject: wasApproved ? `${value} was revoked` : `${value} was not approved`,
    preheader: wasApproved ? `${project} can no longer use it in LIVE.` : `${project} can't use it in LIVE.`,
    status: { tone: "failed", word: wasApproved ? "Revoked" : "Not approved" },
    title: wasApproved ? `${value} was revoked` : `${value} was not approved`,
    lead: [
      wasApproved
        ? `LIVE messages and calls from ${value} are now refused. TEST works as before.`
        : `LIVE messages and calls from ${value} are refused. TEST works as before.`,
    ],
    facts: [["Project", project], ...(reason === null ? [] : [["Reason", reason] as [string, string]])],
    button: { label: "View numbers", url },
    after: ["Once you've fixed the problem, you can request it again on that page."],
    reason: `You're receiving this email because you manage ${project} at ${host}.`,
  }),
};

const zh: NumberEmails = {
  number_approved: ({ url, project, value, channels, countries }, { host, countryNames }) => ({
    subject: `${value} 已通过审核`,
    preheader: `${project} 现在可以在正式环境中使用。`,
    status: { tone: "paid", word: "已通过" },
    title: `${value} 已通过审核`,
    lead: [`${project} 现在可以在正式环境中使用 ${value}。发送短信或拨打电话时，请将其填入 from 字段。`],
    facts: [
      ["项目", project],
      ["渠道", channels.map((channel) => uses.zh[channel]).join("、")],
      ["国家/地区", countries === null ? "项目可发送的所有国家/地区" : countryNames(countries).join("、")],
    ],
    button: { label: "查看号码", url },
    after: [],
    reason: `您在 ${host} 管理 ${project}，因此收到本邮件。`,
  }),
  number_rejected: ({ url, project, value, wasApproved, reason }, { host }) => ({
    subject: wasApproved ? `${value} 已被收回` : `${value} 未通过审核`,
    preheader: wasApproved ? `${project} 不能再在正式环境中使用。` : `${project} 不能在正式环境中使用。`,
    status: { tone: "failed", word: wasApproved ? "已收回" : "未通过" },
    title: wasApproved ? `${value} 已被收回` : `${value} 未通过审核`,
    lead: [
      wasApproved
        ? `从现在起，正式环境中从 ${value} 发出的短信和通话会被拒绝。测试环境不受影响。`
        : `正式环境中从 ${value} 发出的短信和通话仍会被拒绝。测试环境不受影响。`,
    ],
    facts: [["项目", project], ...(reason === null ? [] : [["原因", reason] as [string, string]])],
    button: { label: "查看号码", url },
    after: ["解决上述问题后，可以在该页面重新申请。"],
    reason: `您在 ${host} 管理 ${project}，因此收到本邮件。`,
  }),
};

/** The text for a merchant about an operator's decision on a number. */
export const numberEmails = { en, zh };
