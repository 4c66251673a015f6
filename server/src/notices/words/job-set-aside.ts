import type { Letters } from "../kinds/facts.ts";

type Write = Letters["job_set_aside"];

const queuesEn: Record<string, string> = { webhook_deliveries: "Webhook deliveries", emails: "Mails to send", notices: "Own mails to write" };
const queuesZh: Record<string, string> = { webhook_deliveries: "Webhook 投递", emails: "待发邮件", notices: "待生成的系统邮件" };

const en: Write = ({ url, queue, jobs, count }, { host }) => ({
  subject: `${count === 1 ? "A job was" : `${count} jobs were`} set aside on ${host}`,
  preheader: "Workers stopped or stalled each time they worked on it.",
  status: { tone: "waiting", word: "Action needed" },
  title: count === 1 ? "A job was set aside" : `${count} jobs were set aside`,
  lead: [
    "Background workers stopped or stalled each time they worked on this, so it isn't tried again by itself. Everything else goes on.",
    "The server's log from before each stop usually says why.",
  ],
  facts: [
    ["Queue", queuesEn[queue] ?? queue],
    ["Jobs", jobs.join(", ")],
  ],
  button: { label: "Open system health", url },
  after: [`To list what is set aside, run queues list on the server. Once the cause is mended, run queues release ${queue} to have it tried again.`],
  reason: `You get this mail because you run ${host}.`,
});

const zh: Write = ({ url, queue, jobs, count }, { host }) => ({
  subject: `${host} 有 ${count} 个任务被搁置`,
  preheader: "后台进程每次处理该任务都会退出或卡住。",
  status: { tone: "waiting", word: "需要处理" },
  title: `${count} 个任务被搁置`,
  lead: ["后台进程每次处理以下任务都会退出或卡住，因此系统不再自动重试，其他任务照常进行。", "每次退出之前的服务器日志通常会说明原因。"],
  facts: [
    ["队列", queuesZh[queue] ?? queue],
    ["任务", jobs.join("、")],
  ],
  button: { label: "查看系统状况", url },
  after: [`要查看被搁置的任务，请在服务器上运行 queues list；排除原因后，运行 queues release ${queue} 即可重新处理。`],
  reason: `您负责运营 ${host}，因此收到本邮件。`,
});

/** Tells operators of jobs that are not tried any more because their workers die of them. */
export const jobSetAside = { en, zh };
