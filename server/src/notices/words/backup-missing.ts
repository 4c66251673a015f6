import type { Emails } from "../kinds/facts.ts";

type Write = Emails["backup_missing"];

const en: Write = ({ url, newest, reason, folder }, { host, time, command }) => ({
  subject: `No recent backup of ${host}`,
  preheader: newest === null ? "No backup has been taken yet." : `The latest one is from ${time(newest)}.`,
  status: { tone: "failed", word: "Action needed" },
  title: "No recent backup",
  lead: ["The nightly database backup failed. Tillpost retries every hour. Everything else keeps working."],
  facts: [
    ["Latest backup", newest === null ? "None" : time(newest)],
    ...(reason === null ? [] : [["Reason", reason] as [string, string]]),
    ["Folder", folder],
  ],
  button: { label: "Open system health", url },
  after: [
    `Fix the problem above, then run ${command("backup")} on the server. You'll receive this email once a day until a backup succeeds.`,
  ],
  reason: `You're receiving this email because you run ${host}.`,
});

const zh: Write = ({ url, newest, reason, folder }, { host, time, command }) => ({
  subject: `${host} 最近的备份没有成功`,
  preheader: newest === null ? "尚未做过任何备份。" : `最近一次备份的时间是 ${time(newest)}。`,
  status: { tone: "failed", word: "需要处理" },
  title: "最近的备份没有成功",
  lead: ["数据库每晚的备份未能完成。Tillpost 每小时重试一次，其他功能照常运行。"],
  facts: [
    ["最近一次备份", newest === null ? "无" : time(newest)],
    ...(reason === null ? [] : [["原因", reason] as [string, string]]),
    ["目录", folder],
  ],
  button: { label: "查看系统状况", url },
  after: [`请先排除上述原因，再在服务器上运行 ${command("backup")}。备份成功之前，本邮件每天发送一次。`],
  reason: `您负责运营 ${host}，因此收到本邮件。`,
});

/** Notifies operators that the nightly backup wasn't made. */
export const backupMissing = { en, zh };
