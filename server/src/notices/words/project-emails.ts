import { nameIn } from "#gateways/index.ts";
import type { Emails, Facts } from "../kinds/facts.ts";
import { known } from "./known.ts";

type ProjectEmails = Pick<Emails, "keys_without_receipts" | "gateway_account_refused" | "gateway_account_accepted">;

const nameOf = ({ method }: Facts["gateway_account_refused"], lang: "en" | "zh") => (method === null ? null : nameIn(method, lang));

const en: ProjectEmails = {
  keys_without_receipts: ({ url, project, keys }, { host }) => ({
    subject: `${keys.length === 1 ? "An API key" : "API keys"} of ${project} can no longer report incoming transfers`,
    preheader: "Create a separate key with receipts:write for the program that reports them.",
    status: { tone: "waiting", word: "Action needed" },
    title: `${keys.length === 1 ? "This API key" : "These API keys"} can no longer report incoming transfers`,
    lead: [
      "Until now, payments:write was enough to report a LIVE transfer, which can mark an order as paid. Reporting now requires receipts:write, on a key with no other write permission.",
      `Reports from the ${keys.length === 1 ? "key below are refused until you replace it" : "keys below are refused until you replace them"}. Everything else works as before.`,
    ],
    facts: [
      [keys.length === 1 ? "Key" : "Keys", keys.join(", ")],
      ["Project", project],
    ],
    button: { label: "Open API keys", url },
    after: [
      "Create a key with receipts:write. Under “Receiving account”, enter the account whose transfers it reports.",
      "Restrict the key to the IP address of the program that uses it, under “Allowed addresses”.",
    ],
    reason: `You're receiving this email because you own ${project} at ${host}.`,
  }),
  gateway_account_refused: (facts, { host, time }) => ({
    subject: `${facts.project}: a payment provider no longer accepts your account`,
    preheader: "Buyers can't pay through this account until the provider accepts it again.",
    status: { tone: "failed", word: "Credentials refused" },
    title: "A payment provider no longer accepts your account",
    lead: [
      "The provider no longer accepts this account's credentials, so buyers can't pay through it. If the gateway has another account, they pay through that one.",
    ],
    facts: [
      ...known("Payment method", nameOf(facts, "en")),
      ...known("Account", facts.account),
      ["Project", facts.project],
      ...known("Provider's message", facts.message),
      ["Since", time(facts.at)],
    ],
    button: { label: "Open the account", url: facts.url },
    after: [
      "Tillpost checks the account at least every hour, and uses it again once the provider accepts it. If its keys were replaced or deleted at the provider, enter the new ones on that page.",
    ],
    reason: `You're receiving this email because you manage ${facts.project} at ${host}.`,
  }),
  gateway_account_accepted: (facts, { host, time }) => ({
    subject: `${facts.project}: your account at a payment provider works again`,
    preheader: "The provider accepts it again.",
    status: { tone: "paid", word: "Accepted" },
    title: "Your account at a payment provider works again",
    lead: ["The provider accepts this account's credentials again, and buyers can pay through it as before."],
    facts: [
      ...known("Payment method", nameOf(facts, "en")),
      ...known("Account", facts.account),
      ["Project", facts.project],
      ["Since", time(facts.at)],
    ],
    button: { label: "Open the account", url: facts.url },
    after: [],
    reason: `You're receiving this email because you manage ${facts.project} at ${host}.`,
  }),
};

const zh: ProjectEmails = {
  keys_without_receipts: ({ url, project, keys }, { host }) => ({
    subject: `${project} 的 API 密钥不能再上报到账`,
    preheader: "请为上报到账的程序新建一个只含 receipts:write 的密钥。",
    status: { tone: "waiting", word: "需要处理" },
    title: "以下 API 密钥不能再上报到账",
    lead: [
      "此前凭 payments:write 就能上报正式环境的到账，而到账可能使订单变为已付款。现在上报到账需要单独的权限 receipts:write，且该密钥不能再有其他写权限。",
      "在更换之前，以下密钥的到账上报会被拒绝，其他功能不受影响。",
    ],
    facts: [
      ["密钥", keys.join("、")],
      ["项目", project],
    ],
    button: { label: "打开 API 密钥", url },
    after: ["请新建含 receipts:write 的密钥，在“收款账户”中填写由它上报到账的账户，在“允许的地址”中填写使用该密钥的程序的 IP 地址。"],
    reason: `您是 ${project} 在 ${host} 的所有者，因此收到本邮件。`,
  }),
  gateway_account_refused: (facts, { host, time }) => ({
    subject: `${facts.project}：支付机构不再接受您的账户`,
    preheader: "支付机构重新接受之前，此账户不再收款。",
    status: { tone: "failed", word: "凭据被拒" },
    title: "支付机构不再接受您的账户",
    lead: ["支付机构不再接受此账户的密钥等信息，因此此账户不再收款。如果该支付渠道还有其他账户，买家会通过其他账户付款。"],
    facts: [
      ...known("付款方式", nameOf(facts, "zh")),
      ...known("账户", facts.account),
      ["项目", facts.project],
      ...known("支付机构的说明", facts.message),
      ["开始时间", time(facts.at)],
    ],
    button: { label: "打开账户", url: facts.url },
    after: ["Tillpost 至少每小时检查一次，支付机构重新接受后会自动恢复使用。如果密钥已在支付机构处更换或删除，请在该页面填写新的密钥。"],
    reason: `您在 ${host} 管理 ${facts.project}，因此收到本邮件。`,
  }),
  gateway_account_accepted: (facts, { host, time }) => ({
    subject: `${facts.project}：您在支付机构的账户已恢复`,
    preheader: "支付机构已重新接受此账户。",
    status: { tone: "paid", word: "已恢复" },
    title: "您在支付机构的账户已恢复",
    lead: ["支付机构已重新接受此账户的密钥等信息，此账户恢复收款。"],
    facts: [
      ...known("付款方式", nameOf(facts, "zh")),
      ...known("账户", facts.account),
      ["项目", facts.project],
      ["恢复时间", time(facts.at)],
    ],
    button: { label: "打开账户", url: facts.url },
    after: [],
    reason: `您在 ${host} 管理 ${facts.project}，因此收到本邮件。`,
  }),
};

/** Texts for a project's team about its API keys, and about its accounts with payment providers. */
export const projectEmails = { en, zh };
