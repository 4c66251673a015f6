import type { Emails } from "../kinds/facts.ts";
import { known } from "./known.ts";

type Write = Emails["webhook.callbacks_failing"];

const en: Write = ({ url, project, endpoint, others, since, days }, { host, time }) => ({
  subject: `Status callbacks for ${project} have been failing for a day`,
  preheader: `Nothing has reached ${endpoint} in that time.`,
  status: { tone: "waiting", word: "Failing" },
  title: "Status callbacks have been failing for a day",
  lead: [
    "Messages of this project name this address as their status_callback, and nothing has reached it in that time. Your webhook endpoints aren't affected.",
  ],
  facts: [
    ["Address", endpoint],
    ...known("Other addresses", others === 0 ? null : String(others)),
    ["Project", project],
    ["Since", time(since)],
  ],
  button: { label: "Open webhooks", url },
  after: [
    `Callbacks that can't be delivered within ${days} days are no longer retried. You can still read the events through the API. If the address no longer exists, leave it out when you send messages.`,
  ],
  reason: `You're receiving this email because you manage ${project} at ${host}.`,
});

const zh: Write = ({ url, project, endpoint, others, since, days }, { host, time }) => ({
  subject: `${project} 的状态回调已连续失败一天`,
  preheader: `这段时间没有任何回调送达 ${endpoint}。`,
  status: { tone: "waiting", word: "投递失败" },
  title: "状态回调已连续失败一天",
  lead: ["该项目的消息设置了 status_callback，但这段时间没有任何回调送达该地址。您登记的 Webhook 不受影响。"],
  facts: [["地址", endpoint], ...known("其他地址", others === 0 ? null : `${others} 个`), ["项目", project], ["开始失败", time(since)]],
  button: { label: "打开 Webhook", url },
  after: [`${days} 天内无法送达的回调将不再重试。事件仍可通过 API 读取；如果该地址已停用，发送消息时请不要再填写它。`],
  reason: `您在 ${host} 管理 ${project}，因此收到本邮件。`,
});

export const callbacksFailing = { en, zh };
