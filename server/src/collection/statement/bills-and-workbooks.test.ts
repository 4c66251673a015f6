import { describe, expect, test } from "vitest";
import { alipayAccountBill, alipayFlowBill, asWorkbook, wechatTradeBill, wechatWorkbook } from "#test/support/statements/merchant-bills.ts";
import { alipayStatement, olderAlipayStatement, wechatStatement } from "#test/support/statements/statements.ts";
import { parseStatement, type Statement } from "./parse-statement.ts";

const sumsUp = ({ total, rows, refunds, faults, skipped }: Statement) =>
  expect(rows.length + refunds.length + faults.length + skipped).toBe(total);
const number = "4200000149202611204547386903";
const entries = [
  "118000001,2026112022001400000000000001,INV-1,茶叶,2026-11-20 16:00:00,xia***@example.com,86.00,0.00,186.00,支付宝,在线支付,6805",
  "118000002,2026112022001400000000000001,INV-1,茶叶,2026-11-20 16:00:00,支付宝,0.00,-0.52,185.48,支付宝,收费,服务费",
  "118000003,2026112022001400000000000002,INV-2,茶叶,2026-11-20 16:05:00,li***@example.com,20.00,0.00,205.48,支付宝,在线支付,",
  "118000004,2026112022001400000000000002,INV-2,茶叶,2026-11-20 17:00:00,li***@example.com,0.00,-5.00,200.48,支付宝,交易退款,",
];
const flows = [
  "1,2026-11-20 10:00:00,2026112022001400000000000009,SN1, ,交易,50.00, ,150.00,acc***@x,某人, ,某商品,1,2, ",
  "2,2026-11-20 11:00:00, ,SN000002, ,余额宝-自动转入, ,50.00,100.00, , , , , , ",
];

test("reads WeChat's workbook like its CSV, with days and amounts as numbers", async () => {
  const given = [
    {
      number: "1000049901202611201234567890",
      amount: "¥1,234.50",
      goods: "收款方备注:二维码收款付款方留言:6805",
      time: "2026-11-20 16:03:09",
    },
    { number: "1000049901202611201234567891", amount: "¥0.29", payer: "王,五", time: "2026-11-20 23:59:59" },
  ];
  const lineless = ({ rows, ...rest }: Statement) => ({ ...rest, rows: rows.map((row) => ({ ...row, line: 0 })) });
  expect(lineless(await parseStatement(wechatWorkbook(given)))).toEqual(
    lineless(await parseStatement(wechatStatement(given.map((row) => ({ ...row, payer: row.payer ?? "*明" }))))),
  );
});

describe("a merchant's bill by its own headings:", () => {
  test("Alipay's account bill (商家账务明细)", async () => {
    const read = await parseStatement(alipayAccountBill(entries));
    expect(read).toMatchObject({ channel: "alipay", total: 4, skipped: 1, faults: [] });
    expect(read.rows).toMatchObject([
      { external_id: "2026112022001400000000000001", amount_minor: 8600, remark: "茶叶 6805", state: "final" },
      { external_id: "2026112022001400000000000002", amount_minor: 2000, state: "partly_refunded", refunded_minor: 500 },
    ]);
    expect(read.refunds).toMatchObject([{ returns: "2026112022001400000000000002", amount_minor: 500 }]);
    sumsUp(read);
  });

  test("Alipay's newer account bill", async () => {
    const read = await parseStatement(alipayFlowBill(flows));
    expect(read).toMatchObject({
      total: 2,
      skipped: 1,
      faults: [],
      rows: [{ external_id: "2026112022001400000000000009", amount_minor: 5000 }],
    });
  });

  test("WeChat Pay's bill of trades, whose refunds identify their payment", async () => {
    const read = await parseStatement(
      wechatTradeBill([
        { goods: "tea, green" },
        { number },
        { number, status: "REFUND", amount: "0.00", refund: "3.00" },
        { currency: "HKD" },
      ]),
    );
    expect(read).toMatchObject({
      channel: "wechat",
      total: 4,
      rows: [
        { amount_minor: 1250, state: "final" },
        { external_id: number, state: "partly_refunded", refunded_minor: 300 },
      ],
      refunds: [{ returns: number, amount_minor: 300 }],
      faults: [{ line: 5, code: "currency_unsupported" }],
    });
    sumsUp(read);
  });
});

describe("loses no row between two notes that begin with a quote, and reads no row's note from another's:", () => {
  const notes = ['"生日快乐', "6805", '"谢谢'];
  const trades = [
    "#支付宝业务明细查询",
    "支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,备注",
    ...notes.map(
      (note, at) =>
        `202611202200140000000000000${at},INV-${at},交易,茶叶,2026-11-20 16:00:00,2026-11-20 16:00:0${at},1,店,0,0,li***@example.com,12.50,12.50,${note}`,
    ),
  ].join("\n");
  const files: Record<string, Buffer> = {
    "Alipay's website": olderAlipayStatement(notes.map((note) => ({ note }))),
    "Alipay's account bill": alipayAccountBill(
      notes.map(
        (note, at) =>
          `11800000${at},202611202200140000000000000${at},INV-${at},茶叶,2026-11-20 16:00:00,li***@example.com,12.50,0.00,1.00,支付宝,在线支付,${note}`,
      ),
    ),
    "Alipay's newer account bill": alipayFlowBill(
      notes.map(
        (note, at) =>
          `${at},2026-11-20 10:00:00,202611202200140000000000000${at},SN${at}, ,交易,12.50, ,150.00,acc***@x,某人, ,茶叶,${note},收款`,
      ),
    ),
    "Alipay's bill of trades": Buffer.from(trades),
  };
  test.each(Object.entries(files))("%s", async (_what, file) => {
    const read = await parseStatement(file);
    expect(read).toMatchObject({ total: 3, faults: [], skipped: 0 });
    expect(read.rows.map(({ remark }) => remark?.match(/生日快乐|6805|谢谢/g))).toEqual([["生日快乐"], ["6805"], ["谢谢"]]);
    sumsUp(read);
  });
});

describe("reads the same from a workbook as from the CSV, with days and amounts as numbers:", () => {
  const files: Record<string, Buffer> = {
    "what WeChat Pay's app exports": wechatStatement([{ amount: "0.29" }, { state: "已退款(¥5.00)" }, { direction: "支出" }]),
    "what Alipay's app exports": alipayStatement([
      { note: "4821", time: "2026-11-20 16:03:09" },
      { amount: "1234.50" },
      { state: "交易关闭" },
      { direction: "支出" },
    ]),
    "what Alipay's website exported": olderAlipayStatement([{ amount: "0.29" }, { refunded: "5.00" }]),
    "Alipay's account bill": alipayAccountBill(entries),
    "Alipay's newer account bill": alipayFlowBill(flows),
    "WeChat Pay's bill of trades": wechatTradeBill([
      { number },
      { number, status: "REFUND", amount: "0.00", refund: "3.00" },
      { currency: "HKD" },
    ]),
  };
  test.each(Object.entries(files))("%s", async (_what, csv) => {
    const read = await parseStatement(csv);
    expect(read.rows.length).toBeGreaterThan(0);
    expect(await parseStatement(asWorkbook(csv))).toEqual(read);
  });
});
