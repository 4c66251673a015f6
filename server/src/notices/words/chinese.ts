import { nameIn } from "#gateways/index.ts";
import type { Emails, SecurityChange } from "../kinds/facts.ts";
import { backupMissing } from "./backup-missing.ts";
import { callbacksFailing } from "./callbacks-failing.ts";
import { guardEmails } from "./guard-emails.ts";
import { jobSetAside } from "./job-set-aside.ts";
import { known } from "./known.ts";
import { lasting } from "./lasting.ts";
import { merchantEmails } from "./merchant-emails.ts";
import { numberEmails } from "./number-emails.ts";
import { chineseOversight, roles } from "./oversight-chinese.ts";
import { projectEmails } from "./project-emails.ts";
import { refundEmails } from "./refund-emails.ts";

const changes: Record<SecurityChange, string> = {
  password_changed: "您的密码已修改",
  email_changed: "您的账号邮箱已更改",
  two_factor_enabled: "两步登录已开启",
  two_factor_disabled: "两步登录已关闭",
  passkey_added: "账号新增了一个通行密钥",
  passkey_removed: "账号删除了一个通行密钥",
  recovery_codes_created: "已生成新的恢复码，旧恢复码失效",
  recovery_code_used: "有人使用恢复码登录了您的账号",
};

const working = (minutes: number | null) => (minutes === null ? "链接在有限时间内有效。" : `链接在 ${lasting("zh", minutes)}内有效。`);
const addressToo = "如果按钮无法点击，请复制下面的地址，在浏览器中打开：";
const account = (host: string) => `您在 ${host} 的账号有变动，因此收到本邮件。`;
const team = (project: string, host: string) => `您在 ${host} 管理 ${project}，因此收到本邮件。`;

/** The same emails in Chinese. */
export const chineseEmails: Emails = {
  ...chineseOversight,
  ...numberEmails.zh,
  ...guardEmails.zh,
  ...projectEmails.zh,

  email_verification: ({ url, minutes }, { host }) => ({
    subject: "请确认您的邮箱",
    preheader: "点一下，账号即可使用。",
    title: "请确认您的邮箱",
    lead: [`请确认这个邮箱属于您，确认后即可使用您在 ${host} 的账号。`],
    button: { label: "确认邮箱", url },
    addressToo,
    after: [working(minutes), "如果您没有注册账号，请忽略本邮件：不点击，账号就不会开通。"],
    reason: `有人在 ${host} 填写了这个邮箱，因此您收到本邮件。`,
  }),

  password_reset: ({ url, minutes }, { host }) => ({
    subject: "重置您的密码",
    preheader: "如果不是您本人操作，密码不会改变。",
    title: "重置您的密码",
    lead: [`有人为您在 ${host} 的账号申请重置密码。如果是您本人，请点击下方按钮。`],
    button: { label: "设置新密码", url },
    addressToo,
    after: [working(minutes), "如果不是您本人操作，请忽略本邮件，密码不会改变。请勿把链接转给任何人。"],
    reason: `有人在 ${host} 为这个邮箱的账号申请重置密码，因此您收到本邮件。`,
  }),

  sign_up_again: ({ url }, { host }) => ({
    subject: "您已有账号",
    preheader: "请直接用这个邮箱登录，或重置密码。",
    title: "您已有账号",
    lead: [`有人用这个邮箱在 ${host} 注册，但该邮箱已有账号。如果是您本人，请直接登录。`],
    button: { label: "登录", url },
    after: ["忘记密码可在登录页重置。如果不是您本人操作，无需处理，账号没有任何变化。"],
    reason: `有人在 ${host} 填写了这个邮箱，因此您收到本邮件。`,
  }),

  invitation: ({ url, merchant, inviter, role, expires_at, verified }, { host, time }) => {
    const team = merchant ?? "一家商户";
    const title = verified ? `邀请您加入 ${team}` : "邀请您加入团队";
    return {
      subject: title,
      preheader: inviter === null ? `加入 ${team} 在 ${host} 的团队。` : `${inviter} 邀请您加入 ${team} 在 ${host} 的团队。`,
      title,
      lead: [inviter === null ? `${team} 邀请您加入在 ${host} 的团队。` : `${inviter} 邀请您加入 ${team} 在 ${host} 的团队。`],
      ...(role === null ? {} : { facts: [["您的角色", roles[role]]] as [string, string][] }),
      button: { label: "查看邀请", url },
      addressToo,
      after: [
        ...(expires_at === null ? [] : [`邀请有效期至 ${time(expires_at)}。`]),
        ...(verified ? [] : [`该商户尚未通过 ${host} 运营方的审核。`]),
        "如果您不认识对方，请忽略本邮件，不会有任何影响。",
      ],
      reason: `有人在 ${host} 邀请了这个邮箱，因此您收到本邮件。`,
    };
  },

  sign_in_alert: ({ url, at, device, address }, { host, time }) => ({
    subject: "您的账号有新的登录",
    preheader: "如果是您本人，无需处理。",
    title: "您的账号有新的登录",
    lead: ["您的账号刚在一台新设备上登录。如果是您本人，无需处理。"],
    facts: [["时间", time(at)], ...known("设备", device), ...known("IP 地址", address)],
    button: { label: "打开控制台", url },
    after: ["如果不是您本人，请立即在“账号与安全”页面退出该设备，并修改密码。"],
    reason: account(host),
  }),

  security_changed: ({ url, at, change, address }, { host, time }) => ({
    subject: changes[change],
    preheader: "如果是您本人，无需处理。",
    title: changes[change],
    lead: ["如果是您本人操作，无需处理。", ...(change === "two_factor_enabled" ? ["其他设备均已退出登录。"] : [])],
    facts: [["时间", time(at)], ...known("IP 地址", address)],
    button: { label: "打开控制台", url },
    after: [
      "如果不是您本人，请立即在“账号与安全”页面修改密码，并退出其他所有设备。",
      ...(change === "password_changed" ? ["通行密钥仍可登录，请在同一页面删除您不认识的通行密钥。"] : []),
    ],
    reason: account(host),
  }),

  proof_waiting: ({ url, project, count, proofs }, { host, money, time }) => {
    const [first] = proofs;
    const one = count === 1 && first !== undefined ? `待核对：${first.reference}，${money(first.amount).whole}` : `${count} 笔付款等待核对`;
    return {
      subject: one,
      preheader: `${project} 的买家正在等待确认。`,
      status: { tone: "waiting", word: "等待核对" },
      title: one,
      lead: [count === 1 ? `${project} 的一位买家表示已付款，请核对到账。` : `${project} 的买家表示以下订单已付款，请核对到账。`],
      facts: [
        ...(first === undefined
          ? []
          : [[count === 1 ? "提交时间" : "最早一笔", time(first.at, first.amount.currency)] as [string, string]]),
        ...proofs.map(({ reference, amount }): [string, string] => [reference, money(amount).whole]),
      ],
      ...(count > proofs.length ? { more: `另有 ${count - proofs.length} 笔` } : {}),
      button: { label: "立即核对", url },
      after: [],
      reason: team(project, host),
    };
  },

  canceled_order_claimed: ({ url, project, reference, amount, at }, { host, money, time }) => ({
    subject: `买家称已付款，但订单 ${reference} 已取消`,
    preheader: `${project}：请核对是否收到约 ${money(amount).whole} 的转账。`,
    status: { tone: "waiting", word: "订单已取消" },
    title: `已取消的订单 ${reference}，是否收到了付款？`,
    lead: [
      `${project} 的一位买家表示，该订单虽已取消，但款项已经付出。`,
      "请在收款账户中核对。如果款项已到账，请自行退给买家；或先在“到账”中登记，再关联到订单。",
    ],
    facts: [
      ["金额", money(amount).whole],
      ["提交时间", time(at, amount.currency)],
    ],
    button: { label: "查看订单", url },
    after: [],
    reason: team(project, host),
  }),
  order_paid: ({ url, merchant, amount, reference, description, paid_at, method, contact }, { money, time }) => ({
    subject: `${merchant} 收据：${money(amount).whole}`,
    preheader: `${merchant} 已收到您的付款，谢谢。`,
    status: { tone: "paid", word: "付款成功" },
    title: `付款给 ${merchant}`,
    figure: money(amount),
    lead: [`${merchant} 已收到您的付款，谢谢。`],
    facts: [
      ...known("订单编号", reference),
      ...known("内容", description),
      ["付款时间", time(paid_at, amount.currency)],
      ...(method === null ? [] : [["付款方式", nameIn(method, "zh")] as [string, string]]),
    ],
    button: { label: "查看收据", url },
    after: [contact === null ? `有疑问？请通过下单渠道联系 ${merchant}。` : `有疑问？请联系 ${merchant}：${contact}`],
    speaker: merchant,
    reason: `下单时填写了这个邮箱，Tillpost 受 ${merchant} 委托发送本收据。`,
  }),

  order_refunded: ({ url, merchant, amount, of, reference, refunded_at, contact }, { money, time }) => ({
    subject: `${merchant} 退款：${money(amount).whole}`,
    preheader: `${merchant} 已向您退款 ${money(amount).whole}。`,
    status: { tone: "paid", word: "已退款" },
    title: `${merchant} 的退款`,
    figure: money(amount),
    lead: [`${merchant} 已将这笔款项退还给您。视退款方式不同，到账可能需要几天时间。`],
    facts: [
      ...known("订单编号", reference),
      ...(of === null ? [] : [["您的付款", money(of).whole] as [string, string]]),
      ["退款时间", time(refunded_at, amount.currency)],
    ],
    button: { label: "查看收据", url },
    after: [contact === null ? `有疑问？请通过下单渠道联系 ${merchant}。` : `有疑问？请联系 ${merchant}：${contact}`],
    speaker: merchant,
    reason: `下单时填写了这个邮箱，Tillpost 受 ${merchant} 委托发送本通知。`,
  }),

  ...refundEmails.zh,
  "webhook.failing": ({ url, project, endpoint, hours, since, disabled_at }, { host, time }) => ({
    subject: `Webhook 已连续失败 ${lasting("zh", hours * 60)}`,
    preheader: `${project}：事件没有丢失，但一直没有送达。`,
    status: { tone: "waiting", word: "投递失败" },
    title: `Webhook 已连续失败 ${lasting("zh", hours * 60)}`,
    lead: ["这段时间没有任何事件送达这个地址。事件都已保留并会继续重试，目前没有丢失。"],
    facts: [
      ["地址", endpoint],
      ["项目", project],
      ["开始失败", time(since)],
    ],
    button: { label: "查看投递记录", url },
    after: [`若一直没有成功，该 Webhook 将于 ${time(disabled_at)}停用。`],
    reason: team(project, host),
  }),

  "webhook.disabled": ({ url, project, endpoint, reason }, { host }) => ({
    subject: "Webhook 已停用",
    preheader: `${project}：不再向该地址发送事件。`,
    status: { tone: "failed", word: "已停用" },
    title: "Webhook 已停用",
    lead: [
      reason === "gone"
        ? "该地址返回 410 Gone，表示不再接收，系统已停止向它发送事件。"
        : "该地址连续 5 天没有一次投递成功，系统已停止向它发送事件。",
    ],
    facts: [
      ["地址", endpoint],
      ["项目", project],
    ],
    button: { label: "打开 Webhook", url },
    after: ["事件保留 30 天。地址恢复后，请重新启用，再补发错过的事件。"],
    reason: team(project, host),
  }),

  "webhook.callbacks_failing": callbacksFailing.zh,

  collection_code_changed: ({ url, project, channel, by, at }, { host, time }) => ({
    subject: `${project} 的${nameIn(channel, "zh")}收款码已更换`,
    preheader: "买家今后将通过新的收款码付款。是您本人操作吗？",
    title: `您的${nameIn(channel, "zh")}收款码已更换`,
    lead: [`从现在起，${project} 的买家将通过新的收款码付款。如果是您或您的团队操作，无需处理。`],
    facts: [["项目", project], ["付款方式", nameIn(channel, "zh")], ...known("操作人", by), ["时间", time(at)]],
    button: { label: "查看收款码", url },
    after: ["如果您不知情，请立即在该页面停用此收款码，并修改密码：可能有人正在转走您的货款。"],
    reason: `您是 ${project} 在 ${host} 的所有者，因此收到本邮件。`,
  }),

  ...merchantEmails.zh,
  backup_missing: backupMissing.zh,
  job_set_aside: jobSetAside.zh,

  domain_lost: ({ url, project, domain, missing }, { host }) => ({
    subject: `域名 ${domain} 的验证已失效`,
    preheader: `${project}：记录恢复前，无法在正式环境用该域名发送邮件。`,
    status: { tone: "failed", word: "未验证" },
    title: `域名 ${domain} 的验证已失效`,
    lead: [`${domain} 的 DNS 记录缺失。恢复之前，无法在正式环境用该域名发送邮件。`],
    facts: [["域名", domain], ["项目", project], ...(missing.length === 0 ? [] : [["缺失记录", missing.join("、")] as [string, string]])],
    button: { label: "查看所需记录", url },
    after: ["请恢复记录，再到该页面重新检查。DNS 变更可能需要一段时间才能生效。"],
    reason: team(project, host),
  }),
};
