import { defineWords, useWords } from "../../words/language.tsx";

export type Tone = "paid" | "waiting" | "failed" | "expired" | "plain" | "test";

/** A status is a word next to a shape in its color: a filled dot, a ring, a cross, a dash. */
export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className="badge" data-tone={tone}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d={shapes[tone]} />
      </svg>
      {children}
    </span>
  );
}

const shapes: Record<Tone, string> = {
  paid: "M2 6.5 4.8 9.2 10 3.4",
  waiting: "M6 1.8a4.2 4.2 0 1 1 0 8.4 4.2 4.2 0 0 1 0-8.4M6 3.8V6l1.5 1",
  failed: "M3 3l6 6M9 3l-6 6",
  expired: "M2.5 6h7",
  plain: "M6 2.2a3.8 3.8 0 1 1 0 7.6 3.8 3.8 0 0 1 0-7.6",
  test: "M6 1.5 10.5 6 6 10.5 1.5 6z",
};

const tones: Record<string, Tone> = {
  unpaid: "plain",
  pending: "plain",
  processing: "waiting",
  pending_verify: "waiting",
  requires_action: "waiting",
  paid: "paid",
  failed: "failed",
  expired: "expired",
  canceled: "expired",
  revoked: "expired",
  active: "paid",
  submitted: "waiting",
  approved: "paid",
  rejected: "failed",
  superseded: "expired",
  succeeded: "paid",
  unknown: "waiting",
  started: "waiting",
  open: "waiting",
  resolved: "paid",
  unmatched: "waiting",
  matched: "paid",
  linked: "paid",
  ignored: "expired",
  completed: "paid",
  held: "waiting",
  reversed: "expired",
  enabled: "paid",
  disabled: "expired",
  verified: "paid",
  scheduled: "plain",
  queued: "plain",
  sending: "waiting",
  sent: "waiting",
  delivery_delayed: "waiting",
  delivered: "paid",
  bounced: "failed",
  complained: "failed",
  suppressed: "expired",
  undelivered: "failed",
  received: "plain",
  initiated: "waiting",
  ringing: "waiting",
  in_progress: "waiting",
  busy: "failed",
  no_answer: "failed",
};

const words = defineWords({
  en: {
    unpaid: "Unpaid",
    pending: "Pending",
    processing: "Processing",
    pending_verify: "To review",
    paid: "Paid",
    failed: "Failed",
    expired: "Expired",
    canceled: "Canceled",
    revoked: "Revoked",
    active: "Active",
    submitted: "To review",
    approved: "Approved",
    rejected: "Rejected",
    superseded: "Replaced",
    succeeded: "Succeeded",
    requires_action: "Action required",
    unknown: "Unknown",
    started: "In progress",
    open: "Open",
    resolved: "Resolved",
    unmatched: "Unmatched",
    matched: "Matched",
    linked: "Assigned",
    ignored: "Ignored",
    completed: "Completed",
    held: "In Exceptions",
    reversed: "Reversed",
    enabled: "Enabled",
    disabled: "Disabled",
    verified: "Verified",
    scheduled: "Scheduled",
    queued: "Queued",
    sending: "Sending",
    sent: "Sent",
    delivery_delayed: "Delayed",
    delivered: "Delivered",
    bounced: "Bounced",
    complained: "Complained",
    suppressed: "Suppressed",
    undelivered: "Undelivered",
    received: "Received",
    initiated: "Dialing",
    ringing: "Ringing",
    in_progress: "In progress",
    busy: "Busy",
    no_answer: "No answer",
  },
  zh: {
    unpaid: "未付款",
    pending: "等待中",
    processing: "处理中",
    pending_verify: "待核对",
    paid: "已付款",
    failed: "失败",
    expired: "已过期",
    canceled: "已取消",
    revoked: "已撤销",
    active: "有效",
    submitted: "待核对",
    approved: "已通过",
    rejected: "已驳回",
    superseded: "已替换",
    succeeded: "成功",
    requires_action: "待买家操作",
    unknown: "结果未知",
    started: "进行中",
    open: "待处理",
    resolved: "已处理",
    unmatched: "未匹配",
    matched: "已匹配",
    linked: "已关联",
    ignored: "已忽略",
    completed: "已完成",
    held: "列入异常",
    reversed: "已冲销",
    enabled: "启用",
    disabled: "停用",
    verified: "已通过",
    scheduled: "定时",
    queued: "排队中",
    sending: "发送中",
    sent: "已发出",
    delivery_delayed: "延迟",
    delivered: "已送达",
    bounced: "退信",
    complained: "被投诉",
    suppressed: "已屏蔽",
    undelivered: "未送达",
    received: "已收到",
    initiated: "拨号中",
    ringing: "振铃中",
    in_progress: "通话中",
    busy: "忙线",
    no_answer: "无人接听",
  },
});

/** Any status of the API as a badge; one without a translation is shown as it is. */
export function Status({ status }: { status: string }) {
  const text = useStatusText();
  return <Badge tone={tones[status] ?? "plain"}>{text(status)}</Badge>;
}

export function useStatusText(): (status: string) => string {
  const table = useWords(words) as Record<string, string>;
  return (status) => table[status] ?? status;
}
