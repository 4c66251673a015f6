import type { Emails } from "../kinds/facts.ts";

type Write = Emails["keys_without_receipts"];

const en: Write = ({ url, project, keys }, { host }) => ({
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
});

const zh: Write = ({ url, project, keys }, { host }) => ({
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
});

export const keysWithoutReceipts = { en, zh };
