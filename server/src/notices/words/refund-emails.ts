import { nameIn } from "#gateways/index.ts";
import type { Emails } from "../kinds/facts.ts";

type Written = Pick<Emails, "refund_claim" | "refund_returned" | "refund_failed">;

const en: Written = {
  refund_claim: ({ url, merchant, amount, reference, contact }, { money }) => ({
    subject: `Claim your refund from ${merchant}: ${money(amount).whole}`,
    preheader: `${merchant} is refunding ${money(amount).whole}. Choose where to receive it.`,
    status: { tone: "waiting", word: "Action needed" },
    title: `Claim your refund from ${merchant}`,
    figure: money(amount),
    lead: [`${merchant} is refunding this amount. Open your receipt and tap “Claim refund” to choose where to receive the money.`],
    facts: reference === null ? [] : [["Reference", reference]],
    button: { label: "Open receipt", url },
    after: [
      "Anyone who opens your receipt can claim the money, so don't share this email.",
      contact === null ? `Questions? Contact ${merchant} where you placed the order.` : `Questions? Contact ${merchant}: ${contact}`,
    ],
    speaker: merchant,
    reason: `Tillpost sent this message on behalf of ${merchant} to the email address given with the order.`,
  }),

  refund_returned: ({ url, merchant, amount, reference, at, contact }, { money, time }) => ({
    subject: `Your refund from ${merchant} couldn't be delivered: ${money(amount).whole}`,
    preheader: `The money was returned to ${merchant}.`,
    status: { tone: "waiting", word: "Refund returned" },
    title: `Your refund from ${merchant} couldn't be delivered`,
    figure: money(amount),
    lead: [
      `${merchant} refunded this amount, but it couldn't be delivered and went back to ${merchant}. Ask them to send the refund again.`,
    ],
    facts: [...(reference === null ? [] : [["Reference", reference] as [string, string]]), ["Returned", time(at, amount.currency)]],
    button: { label: "View receipt", url },
    after: [contact === null ? `Contact ${merchant} where you placed the order.` : `Contact ${merchant}: ${contact}`],
    speaker: merchant,
    reason: `Tillpost sent this message on behalf of ${merchant} to the email address given with the order.`,
  }),

  refund_failed: ({ url, project, reference, amount, method, note, wasPaid, isHeld, at }, { host, money, time }) => ({
    subject: `Refund failed: ${money(amount).whole}${reference === null ? "" : ` for ${reference}`}`,
    preheader: `${project}: the money didn't reach the buyer.`,
    status: { tone: "waiting", word: "Refund failed" },
    title: `A refund of ${money(amount).whole} failed`,
    lead: [
      wasPaid
        ? "The provider sent the refund, but the money came back. The buyer may still think it's on its way."
        : "The provider didn't send the refund.",
      isHeld
        ? "Its exception is open again, so you can decide what to do with the money."
        : "The money counts as received again, so you can retry the refund.",
    ],
    facts: [
      ...(reference === null ? [] : [["Order", reference] as [string, string]]),
      ...(method === null ? [] : [["Payment method", nameIn(method, "en")] as [string, string]]),
      ...(note === null ? [] : [["Provider's message", note] as [string, string]]),
      ["Failed", time(at, amount.currency)],
    ],
    button: { label: isHeld ? "Open exceptions" : "Open the order", url },
    after: [],
    reason: `You're receiving this email because you manage ${project} at ${host}.`,
  }),
};

const zh: Written = {
  refund_claim: ({ url, merchant, amount, reference, contact }, { money }) => ({
    subject: `请领取 ${merchant} 的退款：${money(amount).whole}`,
    preheader: `${merchant} 正在向您退款 ${money(amount).whole}，请填写收款方式。`,
    status: { tone: "waiting", word: "待您领取" },
    title: `请领取 ${merchant} 的退款`,
    figure: money(amount),
    lead: [`${merchant} 正在将这笔款项退还给您。请打开收据，点击“领取退款”，填写收款方式。`],
    facts: reference === null ? [] : [["订单编号", reference]],
    button: { label: "打开收据", url },
    after: [
      "能打开收据的人都可以领取这笔款项，请勿转发本邮件。",
      contact === null ? `有疑问？请通过下单渠道联系 ${merchant}。` : `有疑问？请联系 ${merchant}：${contact}`,
    ],
    speaker: merchant,
    reason: `下单时填写了这个邮箱，Tillpost 受 ${merchant} 委托发送本通知。`,
  }),

  refund_returned: ({ url, merchant, amount, reference, at, contact }, { money, time }) => ({
    subject: `${merchant} 的退款未能到账：${money(amount).whole}`,
    preheader: `款项已退回 ${merchant}。`,
    status: { tone: "waiting", word: "退款被退回" },
    title: `${merchant} 的退款未能到账`,
    figure: money(amount),
    lead: [`${merchant} 曾将这笔款项退还给您，但未能到账，款项已退回 ${merchant}。请联系商家重新退款。`],
    facts: [...(reference === null ? [] : [["订单编号", reference] as [string, string]]), ["退回时间", time(at, amount.currency)]],
    button: { label: "查看收据", url },
    after: [contact === null ? `请通过下单渠道联系 ${merchant}。` : `请联系 ${merchant}：${contact}`],
    speaker: merchant,
    reason: `下单时填写了这个邮箱，Tillpost 受 ${merchant} 委托发送本通知。`,
  }),

  refund_failed: ({ url, project, reference, amount, method, note, wasPaid, isHeld, at }, { host, money, time }) => ({
    subject: `退款失败：${money(amount).whole}${reference === null ? "" : `（${reference}）`}`,
    preheader: `${project}：款项没有退到买家。`,
    status: { tone: "waiting", word: "退款失败" },
    title: `${money(amount).whole} 的退款失败`,
    lead: [
      wasPaid ? "支付机构已付出这笔退款，但款项又被退回。买家可能仍以为退款即将到账。" : "支付机构没有付出这笔退款。",
      isHeld ? "对应的异常已重新打开，请重新处理这笔款项。" : "款项重新计为已收，可以再次退款。",
    ],
    facts: [
      ...(reference === null ? [] : [["订单", reference] as [string, string]]),
      ...(method === null ? [] : [["付款方式", nameIn(method, "zh")] as [string, string]]),
      ...(note === null ? [] : [["支付机构的说明", note] as [string, string]]),
      ["失败时间", time(at, amount.currency)],
    ],
    button: { label: isHeld ? "查看异常" : "查看订单", url },
    after: [],
    reason: `您在 ${host} 管理 ${project}，因此收到本邮件。`,
  }),
};

/**
 * Notifies a buyer of a refund that they have to claim or that didn't reach them, and a merchant of one that its provider didn't pay out.
 */
export const refundEmails = { en, zh };
