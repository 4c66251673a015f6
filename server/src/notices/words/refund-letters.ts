import { nameIn } from "#gateways/index.ts";
import type { Letters } from "../kinds/facts.ts";

type Written = Pick<Letters, "refund_claim" | "refund_returned" | "refund_failed">;

const en: Written = {
  refund_claim: ({ url, merchant, amount, reference, contact }, { money }) => ({
    subject: `Claim your refund from ${merchant}: ${money(amount).whole}`,
    preheader: `${merchant} pays ${money(amount).whole} back to you. Say where to send it.`,
    status: { tone: "waiting", word: "Waiting for you" },
    title: `Claim your refund from ${merchant}`,
    figure: money(amount),
    lead: [`${merchant} is paying this amount back to you. Open your receipt and choose "Claim refund" to say where the money should go.`],
    facts: reference === null ? [] : [["Reference", reference]],
    button: { label: "Open receipt", url },
    after: [
      "Whoever opens your receipt can claim the money, so don't pass this message on.",
      contact === null ? `Questions? Reach ${merchant} where you placed the order.` : `Questions? Write to ${merchant}: ${contact}`,
    ],
    speaker: merchant,
    reason: `Tillpost sends this message for ${merchant}, because this address was given with the order.`,
  }),

  refund_returned: ({ url, merchant, amount, reference, at, contact }, { money, time }) => ({
    subject: `Your refund from ${merchant} didn't arrive: ${money(amount).whole}`,
    preheader: `The money was returned to ${merchant}.`,
    status: { tone: "waiting", word: "Refund returned" },
    title: `Your refund from ${merchant} didn't arrive`,
    figure: money(amount),
    lead: [`${merchant} had paid this amount back to you, but it couldn't be delivered and was returned to ${merchant}. Ask them to pay it back again.`],
    facts: [...(reference === null ? [] : [["Reference", reference] as [string, string]]), ["Returned", time(at, amount.currency)]],
    button: { label: "View receipt", url },
    after: [contact === null ? `Reach ${merchant} where you placed the order.` : `Write to ${merchant}: ${contact}`],
    speaker: merchant,
    reason: `Tillpost sends this message for ${merchant}, because this address was given with the order.`,
  }),

  refund_failed: ({ url, project, reference, amount, method, note, wasPaid, isHeld, at }, { host, money, time }) => ({
    subject: `Refund failed: ${money(amount).whole}${reference === null ? "" : ` for ${reference}`}`,
    preheader: `${project}: the money did not reach the buyer.`,
    status: { tone: "waiting", word: "Refund failed" },
    title: `A refund of ${money(amount).whole} failed`,
    lead: [
      wasPaid
        ? "The provider had paid it back, and the money has been returned. The buyer may still believe that it is on its way."
        : "The provider didn't pay it back.",
      isHeld ? "Its exception is open again, and you can decide about the money anew." : "The money counts as received again, and you can refund it again.",
    ],
    facts: [
      ...(reference === null ? [] : [["Order", reference] as [string, string]]),
      ...(method === null ? [] : [["Paid with", nameIn(method, "en")] as [string, string]]),
      ...(note === null ? [] : [["Provider's message", note] as [string, string]]),
      ["Failed", time(at, amount.currency)],
    ],
    button: { label: isHeld ? "Open exceptions" : "Open the order", url },
    after: [],
    reason: `You get this mail because you look after ${project} at ${host}.`,
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
      contact === null ? `有疑问？请在下单的地方联系 ${merchant}。` : `有疑问？请联系 ${merchant}：${contact}`,
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
    lead: [`${merchant} 曾将这笔款项退还给您，但未能到账，款项已退回 ${merchant}。请联系商户重新退款。`],
    facts: [...(reference === null ? [] : [["订单编号", reference] as [string, string]]), ["退回时间", time(at, amount.currency)]],
    button: { label: "查看收据", url },
    after: [contact === null ? `请在下单的地方联系 ${merchant}。` : `请联系 ${merchant}：${contact}`],
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

/** Tells a buyer of a refund that they have to claim or that did not reach them, and a merchant of one that its provider did not pay out. */
export const refundLetters = { en, zh };
