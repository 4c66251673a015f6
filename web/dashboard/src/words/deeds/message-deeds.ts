import { defineWords } from "../../../../language/languages.ts";

/** What the audit log says of messages, domains and suppressions. */
export const messageDeeds = defineWords({
  en: {
    deed: {
      "batch.created": "Batch of messages sent",
      "email.created": "Mail sent",
      "email.canceled": "Mail canceled",
      "email.rescheduled": "Mail moved to another time",
      "sms.created": "SMS sent",
      "sms.canceled": "SMS canceled",
      "sms.body_deleted": "Text of an SMS deleted",
      "domain.created": "Domain added",
      "domain.verified": "Domain verified",
      "domain.failed": "Domain lost its records",
      "domain.deleted": "Domain deleted",
      "suppression.created": "Address suppressed",
      "suppression.deleted": "Address released",
    },
    object: {
      batch: "Batch",
      domain: "Domain",
      email: "Mail",
      sms: "SMS",
      suppression: "Address",
    },
  },
  zh: {
    deed: {
      "batch.created": "发送一批消息",
      "email.created": "发送邮件",
      "email.canceled": "取消邮件",
      "email.rescheduled": "修改邮件发送时间",
      "sms.created": "发送短信",
      "sms.canceled": "取消短信",
      "sms.body_deleted": "删除短信内容",
      "domain.created": "添加域名",
      "domain.verified": "域名验证通过",
      "domain.failed": "域名记录缺失",
      "domain.deleted": "删除域名",
      "suppression.created": "屏蔽地址",
      "suppression.deleted": "解除屏蔽",
    },
    object: {
      batch: "批次",
      domain: "域名",
      email: "邮件",
      sms: "短信",
      suppression: "地址",
    },
  },
});
