import type { Emails } from "../kinds/facts.ts";

type Write = Emails["job_set_aside"];

const queuesEn: Record<string, string> = {
  webhook_deliveries: "Webhook deliveries",
  emails: "Emails to send",
  notices: "System emails to write",
};
const queuesZh: Record<string, string> = { webhook_deliveries: "Webhook 投递", emails: "待发邮件", notices: "待生成的系统邮件" };

const en: Write = ({ url, queue, jobs, count }, { host, command }) => ({
  subject: `${count === 1 ? "A job was" : `${count} jobs were`} set aside on ${host}`,
  preheader: `Workers crashed or stalled every time they ran ${count === 1 ? "it" : "them"}.`,
  status: { tone: "waiting", word: "Action needed" },
  title: count === 1 ? "A job was set aside" : `${count} jobs were set aside`,
  lead: [
    `Workers crashed or stalled every time they ran ${count === 1 ? "this job, so it's" : "these jobs, so they're"} no longer retried automatically.`,
    "Everything else keeps running. The server log just before each crash usually shows why.",
  ],
  facts: [
    ["Queue", queuesEn[queue] ?? queue],
    [count === 1 ? "Job" : "Jobs", jobs.join(", ")],
  ],
  button: { label: "Open system health", url },
  after: [
    `To list jobs that were set aside, run ${command("queues list")} on the server.`,
    `Once you've fixed the cause, run ${command(`queues release ${queue}`)} to retry them.`,
  ],
  reason: `You're receiving this email because you run ${host}.`,
});

const zh: Write = ({ url, queue, jobs, count }, { host, command }) => ({
  subject: `${host} 有 ${count} 个任务被搁置`,
  preheader: `工作进程每次处理${count === 1 ? "该任务" : "这些任务"}都会崩溃或卡死。`,
  status: { tone: "waiting", word: "需要处理" },
  title: `${count} 个任务被搁置`,
  lead: ["工作进程每次处理以下任务都会崩溃或卡死，因此系统不再自动重试，其他任务照常进行。", "每次崩溃前的服务器日志通常会说明原因。"],
  facts: [
    ["队列", queuesZh[queue] ?? queue],
    ["任务", jobs.join("、")],
  ],
  button: { label: "查看系统状况", url },
  after: [
    `要查看被搁置的任务，请在服务器上运行 ${command("queues list")}；排除原因后，运行 ${command(`queues release ${queue}`)} 即可重新处理。`,
  ],
  reason: `您负责运营 ${host}，因此收到本邮件。`,
});

/** Notifies operators of jobs that are no longer tried because their workers die of them. */
export const jobSetAside = { en, zh };
