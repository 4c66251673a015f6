import type { Emails, Facts, Role } from "../kinds/facts.ts";
import { known } from "./known.ts";

/** What each role may do, in Chinese. */
export const roles: Record<Role, string> = {
  owner: "所有者：全部权限，包括成员管理",
  admin: "管理员：除管理所有者外的全部权限",
  developer: "开发者：密钥、Webhook、域名、订单与消息",
  reviewer: "核对员：核对凭证，确认收款",
  accountant: "会计：查看并导出全部账目",
  viewer: "只读：仅查看",
};

const roleNames: Record<Role, string> = {
  owner: "所有者",
  admin: "管理员",
  developer: "开发者",
  reviewer: "核对员",
  accountant: "会计",
  viewer: "只读成员",
};

/** The change of a person's role, as a headline. */
function roleChange({ person, merchant, before, after }: Facts["team_changed"]): string {
  if (after === null) return `${person} 不再是 ${merchant} 的${before === null ? "成员" : roleNames[before]}`;
  return `${person} 现在是 ${merchant} 的${roleNames[after]}`;
}

/** Emails with which owners and operators keep watch, in Chinese. */
export const chineseOversight: Pick<Emails, "team_changed" | "letter_received" | "audit_anchored"> = {
  team_changed: (facts, { host, time }) => ({
    subject: roleChange(facts),
    preheader: "如果您知情，无需处理。",
    title: roleChange(facts),
    lead: ["您是商户所有者，因此所有者与管理员的每次变动都会通知您。如果您知情，无需处理。"],
    facts: [
      ["账号", facts.email],
      ...(facts.before === null || facts.after === null ? [] : [["原角色", roles[facts.before]] as [string, string]]),
      ...(facts.after === null ? [] : [["新角色", roles[facts.after]] as [string, string]]),
      ...known("操作人", facts.by),
      ["时间", time(facts.at)],
    ],
    button: { label: "查看团队", url: facts.url },
    after: [
      ...(facts.new_owner_until === null
        ? []
        : [`${time(facts.new_owner_until)}之前，该所有者无法更改正式收款码、正式密钥、正式支付渠道账户或其他所有者，您仍可撤销此变动。`]),
      "如果您不知情，请打开“团队”改回，并立即修改密码：可能有人盗用了所有者的账号。",
    ],
    reason: `您是 ${facts.merchant} 在 ${host} 的所有者，因此收到本邮件。`,
  }),

  letter_received: ({ url, to, from, subject, text }, { host }) => ({
    subject: `${to} 收到一封邮件`,
    preheader: `来自 ${from}`,
    title: `${to} 收到一封邮件`,
    lead: ["这个地址属于您的邮件域名，来信可能是对您所发邮件的投诉。直接回复本邮件即可答复对方。"],
    facts: [["发件人", from], ...known("主题", subject), ...(text === "" ? [] : [["正文", text] as [string, string]])],
    button: { label: "打开控制台", url },
    after: ["任何人都可以向这个地址发邮件：请勿轻信邮件内容，并谨慎对待其中的链接。"],
    reason: `您负责运营 ${host}，因此收到本邮件。`,
  }),

  audit_anchored: ({ url, at, chains, rows, root }, { host, time, command }) => ({
    subject: `${host} 审计日志指纹`,
    preheader: "请保留本邮件，日后可据此核对日志是否被改动。",
    title: "审计日志指纹",
    lead: ["以下是审计日志截至今日的指纹。请保留本邮件，日后可据此证明此前的记录没有被更改或删除。"],
    facts: [
      ["时间", time(at)],
      ["指纹", root],
      ["商户数", chains.toLocaleString("zh")],
      ["记录条数", rows.toLocaleString("zh")],
    ],
    button: { label: "打开控制台", url },
    after: [`要核对全部日志，请在服务器上运行 ${command("doctor --audit")}，它会与 audit-anchors.jsonl 中保存的指纹比对。`],
    reason: `您负责运营 ${host}，因此每天都会收到本邮件。`,
  }),
};
