import iconv from "iconv-lite";
import type { WechatRow } from "./statements.ts";
import { type Part, serial, workbook } from "./workbooks.ts";

/** WeChat's current export: a workbook, days as numbers, amounts without a sign. */
export function wechatWorkbook(rows: WechatRow[], more: readonly Part[] = []): Buffer {
  const preamble = [
    "微信支付账单明细",
    "微信昵称：[小店]",
    "起始时间：[2026-11-01 00:00:00] 终止时间：[2026-11-30 23:59:59]",
    "导出类型：[全部账单]",
    "导出时间：[2026-11-30 12:00:00]",
    null,
    `共${rows.length}笔记录`,
    "收入：1笔 12.50元",
    "支出：0笔 0.00元",
    "中性交易：0笔 0.00元",
    "注：",
    "1. 充值/提现/理财通购买/零钱通存取/信用卡还款等交易，将计入中性交易",
    "2. 若交易记录明细无有效内容，则代表该时间段内此微信号无交易",
    "3. 本明细仅供个人对账使用",
    "4. 本账单中所有时间均为UTC+08:00时间",
    null,
    "----------------------微信支付账单明细列表--------------------",
  ];
  const lines = rows.map((row, at) => [
    serial(row.time ?? "2026-11-20 16:00:00"),
    row.type ?? "二维码收款",
    row.payer ?? "*明",
    row.goods ?? "收款方备注:二维码收款",
    row.direction ?? "收入",
    Number((row.amount ?? "12.50").replace(/[¥,]/g, "")),
    "/",
    row.state ?? "已收钱",
    row.number ?? `100004990120261120${String(at).padStart(10, "0")}`,
    "/",
    row.note ?? "/",
  ]);
  const header = ["交易时间", "交易类型", "交易对方", "商品", "收/支", "金额(元)", "支付方式", "当前状态", "交易单号", "商户单号", "备注"];
  return workbook([...preamble.map((text) => [text]), header, ...lines], more);
}

/** Alipay's bill of a merchant account (账务明细): GBK, notes with # around the rows. */
export function alipayAccountBill(lines: readonly string[]): Buffer {
  const text = [
    "#支付宝账务明细查询",
    "#账号：[20886212345678900156]",
    "#起始日期：[2026年11月20日 00:00:00]   终止日期：[2026年11月21日 00:00:00]",
    "#-----------------------------------------账务明细列表----------------------------------------",
    "账务流水号,业务流水号,商户订单号,商品名称,发生时间,对方账号,收入金额（+元）,支出金额（-元）,账户余额（元）,交易渠道,业务类型,备注",
    ...lines,
    "#-----------------------------------------账务明细列表结束------------------------------------",
    "#支出合计：1笔，共-0.50元",
    "#导出时间：[2026年11月21日 09:00:00]",
  ].join("\r\n");
  return iconv.encode(text, "gbk");
}

/** The newer form of that bill. */
export function alipayFlowBill(lines: readonly string[]): Buffer {
  const header =
    "序号,入账时间,支付宝交易号,支付宝流水号,商户订单号,账务类型,收入（+元）,支出（-元）,账户余额（元）,对方账户,对方名称,银行订单号,商品名称,备注,业务描述";
  return iconv.encode(["#账号：shop***@example.com[2088000000000000]", header, ...lines].join("\n"), "gb18030");
}

/** WeChat Pay's bill of a merchant's trades: every cell begins with a backtick, sums follow the rows. */
export function wechatTradeBill(
  rows: readonly { status?: string; number?: string; amount?: string; refund?: string; goods?: string; currency?: string }[],
): Buffer {
  const header =
    "交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注";
  const lines = rows.map((row) => {
    const refund = row.refund ?? "0.00";
    const cells = [
      "2026-11-20 16:00:00",
      "wx1",
      "1900000109",
      "0",
      "",
      row.number ?? "4200000149202611204547386902",
      "INV-1",
      "oUpF8uMuAJO",
      "NATIVE",
    ];
    const money = [row.status ?? "SUCCESS", "CFT", row.currency ?? "CNY", row.amount ?? "12.50", "0.00", "0", "0", refund, "0.00", "", ""];
    return [...cells, ...money, row.goods ?? "book", "", "0.07", "0.60%", row.amount ?? "12.50", refund, ""]
      .map((cell) => `\`${cell}`)
      .join(",");
  });
  const sums = [
    "总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额",
    `\`${rows.length},\`12.50,\`0.00,\`0.00,\`0.07,\`12.50,\`0.00`,
  ];
  return Buffer.from([header, ...lines, ...sums].join("\r\n"));
}

/** The same lines as a workbook: days and amounts as numbers, no marks before cells. */
export function asWorkbook(csv: Buffer): Buffer {
  const text =
    csv.subarray(0, 3).equals(Buffer.from("\ufeff")) || csv.includes("微信订单号") ? csv.toString("utf8") : iconv.decode(csv, "gb18030");
  const lines = text.replace("\ufeff", "").split(/\r?\n/);
  return workbook(lines.map((line) => line.replaceAll('"', "").split(",").map(typedCell)));
}

function typedCell(text: string): string | number | null {
  const bare = text.replace("`", "").trim();
  if (/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(bare)) return serial(bare);
  return bare === "" ? null : /^-?\d+\.\d\d$/.test(bare) ? Number(bare) : bare;
}
