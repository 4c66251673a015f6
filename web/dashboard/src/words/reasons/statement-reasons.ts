import { defineWords } from "../../../../language/languages.ts";

type Values = Readonly<{ name?: unknown; max?: unknown }>;

/** Why a wallet's statement is invalid. */
export const statementReasons = defineWords({
  en: {
    not_a_statement: "This isn't a WeChat Pay or Alipay statement. Export it again, and upload the file unchanged.",
    other_wallet: ({ name }: Values) => `This is a ${name} statement.`,
    too_many_rows: ({ max }: Values) => `The statement has more than ${max} rows. Export a shorter period.`,
    file_damaged: "This file is damaged. Export the statement again.",
    file_locked: "This archive is password-protected. Unzip it with the password from your wallet, then upload the statement inside.",
  },
  zh: {
    not_a_statement: "这不是微信支付或支付宝的账单文件。请重新导出，并上传未修改的文件。",
    other_wallet: ({ name }) => `这是${name === "Alipay" ? "支付宝" : "微信支付"}的账单。`,
    too_many_rows: ({ max }) => `账单超过 ${max} 行，请缩短导出的时间范围。`,
    file_damaged: "文件已损坏，请重新导出账单。",
    file_locked: "压缩包有密码。请用钱包发来的密码解压，再上传其中的账单。",
  },
});
