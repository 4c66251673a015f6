import iconv from "iconv-lite";

/** Statements as the wallets export them, composed row by row. */

export interface WechatRow {
  time?: string;
  type?: string;
  payer?: string;
  goods?: string;
  direction?: string;
  amount?: string;
  state?: string;
  number?: string;
  note?: string;
}

/** Beijing's time as statements write it. */
export const writtenTime = (at: Date) => new Date(at.getTime() + 8 * 3_600_000).toISOString().replace("T", " ").slice(0, 19);

export const yuan = (minor: number) => `¥${(minor / 100).toFixed(2)}`;

let lastNumber = 0;

const nextNumber = (prefix: string, digits: number) => {
  lastNumber += 1;
  return prefix + String(lastNumber).padStart(digits - prefix.length, "0");
};

/** WeChat Pay: UTF-8 with a BOM, sixteen lines of preamble, numbers padded with tabs. */
export function wechatStatement(rows: WechatRow[]): Buffer {
  const preamble = [
    "微信支付账单明细",
    "微信昵称：[小店]",
    "起始时间：[2026-11-01 00:00:00] 终止时间：[2026-11-30 23:59:59]",
    "导出类型：[全部]",
    "导出时间：[2026-11-30 12:00:00]",
    "",
    `共${rows.length}笔记录`,
    "收入：1笔 12.50元",
    "支出：0笔 0.00元",
    "中性交易：0笔 0.00元",
    "注：",
    "1. 充值/提现/理财通购买/零钱通存取/信用卡还款等交易，将计入中性交易",
    "2. 本明细仅展示当前账单中的交易，不包括已删除的记录",
    "3. 本明细仅供个人对账使用",
    "",
    "----------------------微信支付账单明细列表--------------------",
  ].map((line) => `${line},,,,,,,,`);
  const lines = rows.map((row) =>
    [
      row.time ?? "2026-11-20 16:00:00",
      row.type ?? "二维码收款",
      row.payer ?? "*明",
      `"${row.goods ?? "收款方备注:二维码收款"}"`,
      row.direction ?? "收入",
      `"${row.amount ?? "¥12.50"}"`,
      "/",
      row.state ?? "已收钱",
      `"${row.number ?? nextNumber("10000499012026112", 28)}\t"`,
      `"/"`,
      `"${row.note ?? "/"}"`,
    ].join(","),
  );
  const text = [...preamble, "交易时间,交易类型,交易对方,商品,收/支,金额(元),支付方式,当前状态,交易单号,商户单号,备注", ...lines, ""].join(
    "\r\n",
  );
  return Buffer.from(`\ufeff${text}`);
}

export interface AlipayRow {
  time?: string;
  kind?: string;
  payer?: string;
  goods?: string;
  direction?: string;
  amount?: string;
  state?: string;
  number?: string;
  note?: string;
}

/** Alipay's app: GB18030, preamble with CRLF and rows with LF, numbers padded with tabs, a comma at each end. */
export function alipayStatement(rows: AlipayRow[]): Buffer {
  const preamble = [
    "------------------------------------------------------------------------------------",
    "导出信息：",
    "姓名：小店",
    "支付宝账户：shop@example.com",
    "起始时间：[2026-11-01 00:00:00]    终止时间：[2026-11-30 23:59:59]",
    "导出交易类型：[全部]",
    "导出时间：[2026-11-30 12:00:00]",
    `共${rows.length}笔记录`,
    "",
    "特别提示：",
    "1.本回单内容可表明支付宝受理了相应支付交易申请",
    "------------------------支付宝支付科技有限公司  电子客户回单------------------------",
  ];
  const lines = rows.map((row) =>
    [
      row.time ?? "2026-11-20 16:00:00",
      row.kind ?? "收款",
      row.payer ?? "小明(**明)",
      "138******00",
      row.goods ?? "收钱码收款",
      row.direction ?? "收入",
      row.amount ?? "12.50",
      "余额",
      row.state ?? "交易成功",
      `${row.number ?? nextNumber("20261120220014", 28)}\t`,
      "\t",
      row.note ?? "",
      "",
    ].join(","),
  );
  const header = "交易时间,交易分类,交易对方,对方账号,商品说明,收/支,金额,收/付款方式,交易状态,交易订单号,商家订单号,备注,";
  return iconv.encode(`${preamble.join("\r\n")}\r\n${[header, ...lines].join("\n")}\n`, "gb18030");
}

/** Alipay's website, as it was: GBK, every cell padded, a summary below. */
export function olderAlipayStatement(rows: (AlipayRow & { refunded?: string })[]): Buffer {
  const lines = rows.map((row) =>
    [
      `${row.number ?? nextNumber("2016112021001004", 28)}\t`,
      "\t",
      row.time ?? "2026-11-20 15:59:58",
      row.time ?? "2026-11-20 16:00:00",
      row.time ?? "2026-11-20 16:00:01",
      "其他（包括阿里巴巴和外部商家）",
      row.kind ?? "转账",
      row.payer ?? "小明",
      row.goods ?? "收款",
      row.amount ?? "12.50",
      row.direction ?? "收入",
      row.state ?? "交易成功",
      "0.00",
      row.refunded ?? "0.00",
      row.note ?? "",
      "已收入",
      "",
    ]
      .map((cell) => cell.padEnd(cell === "" ? 0 : 20))
      .join(","),
  );
  const text = [
    "支付宝交易记录明细查询",
    "账号:[shop@example.com]",
    "起始日期:[2026-11-01 00:00:00]    终止日期:[2026-11-30 23:59:59]",
    "---------------------------------交易记录明细列表------------------------------------",
    "交易号                  ,商家订单号               ,交易创建时间              ,付款时间                ,最近修改时间              ,交易来源地     ,类型              ,交易对方            ,商品名称                ,金额（元）   ,收/支     ,交易状态    ,服务费（元）   ,成功退款（元）  ,备注                  ,资金状态     ,",
    ...lines,
    "------------------------------------------------------------------------------------",
    `共${rows.length}笔记录`,
    "已收入:1笔,12.50元",
    "导出时间:[2026-11-30 12:00:00]    用户:小店",
  ].join("\r\n");
  return iconv.encode(text, "gbk");
}
