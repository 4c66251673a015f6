import type { Emails } from "../kinds/facts.ts";

type Write = Emails["backup_missing"];

const en: Write = ({ url, newest, reason, folder, bucket, isLog }, { host, time, command }) => {
  const facts: [string, string][] = [
    ["Latest backup", newest === null ? "None" : time(newest)],
    ...(reason === null ? [] : [["Reason", reason] as [string, string]]),
    ["Folder", folder],
  ];
  const shared = {
    status: { tone: "failed", word: "Action needed" },
    button: { label: "Open system health", url },
    reason: `You're receiving this email because you run ${host}.`,
  } as const;
  if (isLog)
    return {
      ...shared,
      subject: `Write-ahead log of ${host} not copied${bucket === null ? "" : " to the bucket"}`,
      preheader: `Backups${bucket === null ? "" : " in the bucket"} can't be restored to a recent point in time.`,
      title: "Write-ahead log not copied",
      lead: [
        `The database's write-ahead log can't be copied to the ${bucket === null ? "folder of the backups" : "bucket"}, so the backups there can't be restored to a recent point in time. Tillpost keeps trying. Everything else keeps working.`,
      ],
      facts: [...facts, ...(bucket === null ? [] : [["Bucket", bucket] as [string, string]])],
      after: [
        `Fix the problem above. Tillpost then copies ${bucket === null ? "what the database has kept, which is at most 2 GB. If it had to discard some of the log, recovery to a point in time works again from the next backup on." : "everything that is missing."} You'll receive this email once a day until the log is copied again.`,
      ],
    };
  return {
    ...shared,
    subject: `No recent backup of ${host}`,
    preheader: newest === null ? "No backup has been taken yet." : `The latest one is from ${time(newest)}.`,
    title: "No recent backup",
    lead: ["The nightly database backup failed. Tillpost retries every hour. Everything else keeps working."],
    facts,
    after: [
      `Fix the problem above, then run ${command("backup")} on the server. You'll receive this email once a day until a backup succeeds.`,
    ],
  };
};

const zh: Write = ({ url, newest, reason, folder, bucket, isLog }, { host, time, command }) => {
  const facts: [string, string][] = [
    ["最近一次备份", newest === null ? "无" : time(newest)],
    ...(reason === null ? [] : [["原因", reason] as [string, string]]),
    ["目录", folder],
  ];
  const shared = {
    status: { tone: "failed", word: "需要处理" },
    button: { label: "查看系统状况", url },
    reason: `您负责运营 ${host}，因此收到本邮件。`,
  } as const;
  if (isLog) {
    const place = bucket === null ? "备份目录" : "存储桶";
    return {
      ...shared,
      subject: `${host} 的预写日志未能复制到${place}`,
      preheader: `${place}中的备份无法恢复到最近的时间点。`,
      title: "预写日志未能复制",
      lead: [`数据库的预写日志（WAL）无法复制到${place}，那里的备份因此无法恢复到最近的时间点。Tillpost 会继续重试，其他功能照常运行。`],
      facts: [...facts, ...(bucket === null ? [] : [["存储桶", bucket] as [string, string]])],
      after: [
        `请先排除上述原因，之后 Tillpost 会${bucket === null ? "复制数据库保留的日志（最多 2 GB）。如有部分日志已被丢弃，要到下一次备份之后才能再恢复到任意时间点" : "自动补齐缺少的部分"}。恢复复制之前，本邮件每天发送一次。`,
      ],
    };
  }
  return {
    ...shared,
    subject: `${host} 最近的备份没有成功`,
    preheader: newest === null ? "尚未做过任何备份。" : `最近一次备份的时间是 ${time(newest)}。`,
    title: "最近的备份没有成功",
    lead: ["数据库每晚的备份未能完成。Tillpost 每小时重试一次，其他功能照常运行。"],
    facts,
    after: [`请先排除上述原因，再在服务器上运行 ${command("backup")}。备份成功之前，本邮件每天发送一次。`],
  };
};

/** Notifies operators that the nightly backup wasn't made, or that the write-ahead log isn't copied. */
export const backupMissing = { en, zh };
