import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import type { AppError } from "#platform/index.ts";
import { alipayStatement, olderAlipayStatement, wechatStatement } from "#test/support/statements/statements.ts";
import { parseStatement, type Statement } from "./parse-statement.ts";

const beijing = (text: string) => new Date(`${text}+08:00`);
const sumsUp = ({ total, rows, refunds, faults, skipped }: Statement) =>
  expect(rows.length + refunds.length + faults.length + skipped).toBe(total);

test("reads money received from a WeChat Pay statement, in Beijing time, with the payer's note", async () => {
  const file = wechatStatement([
    {
      number: "1000049901202611201234567890",
      amount: "¥1,234.50",
      payer: "老王",
      goods: "收款方备注:二维码收款付款方留言:4821",
      time: "2026-11-20 16:03:09",
    },
  ]);
  expect(await parseStatement(file)).toEqual({
    channel: "wechat",
    total: 1,
    declared: 1,
    skipped: 0,
    faults: [],
    refunds: [],
    rows: [
      {
        line: 18,
        external_id: "1000049901202611201234567890",
        amount_minor: 123_450,
        occurred_at: beijing("2026-11-20T16:03:09"),
        payer_hint: "老王",
        remark: "收款方备注:二维码收款付款方留言:4821",
        kind: "二维码收款",
        state: "final",
        refunded_minor: null,
      },
    ],
  });
});

test("reads an Alipay statement of the app and of the old website", async () => {
  const { rows } = await parseStatement(alipayStatement([{ number: "2026112022001418871430000001", amount: "99.90", note: "4821" }]));
  expect(rows).toMatchObject([
    {
      line: 14,
      external_id: "2026112022001418871430000001",
      amount_minor: 9990,
      occurred_at: beijing("2026-11-20T16:00:00"),
      payer_hint: "小明(**明) 138******00",
      remark: "收钱码收款 4821",
    },
  ]);
  expect(await parseStatement(olderAlipayStatement([{ number: "2016112021001004000000000001" }]))).toMatchObject({
    channel: "alipay",
    faults: [],
    rows: [{ line: 6, external_id: "2016112021001004000000000001", amount_minor: 1250, occurred_at: beijing("2026-11-20T16:00:00") }],
  });
});

describe("loses no row with an unquoted comma:", () => {
  const header = "交易时间,交易类型,交易对方,商品,收/支,金额(元),支付方式,当前状态,交易单号,商户单号,备注";
  const read = (...lines: string[]) => parseStatement(Buffer.from([header, ...lines].join("\n")));
  const good: [string, string, object][] = [
    [
      "in the payer's name, before a quoted note",
      '2026-11-20 16:00:00,转账,王,五,"转账备注:6805",收入,¥86.00,/,已存入零钱,1000049901,/,/',
      { payer_hint: "王,五", remark: "转账备注:6805" },
    ],
    [
      "in the payer's name, nothing quoted",
      "2026-11-20 16:00:00,转账,王,五,转账备注:6805,收入,¥86.00,/,已存入零钱,1000049901,/,/",
      { payer_hint: "王,五", remark: "转账备注:6805" },
    ],
    [
      "in the note",
      "2026-11-20 16:00:00,转账,王五,转账备注:6805,谢谢,收入,¥86.00,/,已存入零钱,1000049901,/,/",
      { payer_hint: "王五", remark: "转账备注:6805,谢谢" },
    ],
    ["in the last column", "2026-11-20 16:00:00,转账,王五,/,收入,¥86.00,/,已存入零钱,1000049901,/,a,b", { remark: "a,b" }],
    [
      "in a name that ends with a quote",
      '2026-11-20 16:00:00,转账,"王,五,转账备注:6805,收入,¥86.00,/,已存入零钱,1000049901,/,/',
      { remark: "转账备注:6805" },
    ],
  ];
  for (const [what, line, row] of good) {
    test(what, async () => {
      const read_ = await read(line, "2026-11-20 16:01:00,转账,李四,/,收入,¥2.00,/,已存入零钱,1000049902,/,/");
      expect(read_).toMatchObject({
        total: 2,
        faults: [],
        skipped: 0,
        rows: [{ amount_minor: 8600, external_id: "1000049901", ...row }, { amount_minor: 200 }],
      });
    });
  }

  test("in an amount of thousands", async () => {
    const { rows, faults } = await read("2026-11-20 16:00:00,转账,王五,/,收入,¥1,234.50,/,已存入零钱,1000049901,/,/");
    expect([rows.map((row) => row.amount_minor), faults]).toEqual([[123_450], []]);
  });

  test("in the payer's name of an Alipay statement, next to an account that could be split in two ways", async () => {
    const { rows, faults } = await parseStatement(
      alipayStatement([{ payer: "李,四", number: "2026112022001418871430000001", note: "4821" }, { payer: "李,四" }]),
    );
    expect(faults).toEqual([]);
    expect(rows).toMatchObject([{ external_id: "2026112022001418871430000001", amount_minor: 1250, remark: "收钱码收款 4821" }, {}]);
  });

  test("one that can't be split, or is cut off, is reported as a fault", async () => {
    const odd = await read(
      "2026-11-20 16:00:00,转账,王,五,六,¥86.00,收入,/,已存入零钱,1000049901,/,/",
      "2026-11-20 16:00:00,转账,王五,/,收入",
      "a,b,c",
    );
    expect(odd).toMatchObject({ total: 3, rows: [], skipped: 0, faults: [{ line: 2, code: "columns_unclear" }, { line: 3 }, { line: 4 }] });
    sumsUp(odd);
  });

  test("an ambiguous split never moves one person's words into another's note", async () => {
    const { rows } = await read("2026-11-20 16:00:00,转账,王,12345,谢谢,收入,¥86.00,/,已存入零钱,1000049901,/,/");
    expect(rows).toMatchObject([{ payer_hint: "王", remark: "谢谢" }]);
  });
});

describe("accepts no row as a receipt that is", () => {
  const none: Record<string, Buffer> = {
    "a payment (WeChat Pay)": wechatStatement([{ direction: "支出" }]),
    "a withdrawal (WeChat Pay)": wechatStatement([{ direction: "/", type: "零钱提现", state: "提现已到账" }]),
    "a refund of a purchase (WeChat Pay)": wechatStatement([{ type: "商户消费-退款", state: "已全额退款" }]),
    "a payment (Alipay)": alipayStatement([{ direction: "支出" }]),
    "interest (Alipay)": alipayStatement([{ direction: "不计收支", kind: "投资理财" }]),
    "a refund of a purchase (Alipay)": alipayStatement([{ kind: "退款", state: "退款成功" }]),
    "a payment (old Alipay)": olderAlipayStatement([{ direction: "支出" }]),
  };
  for (const [what, file] of Object.entries(none)) {
    test(what, async () => expect(await parseStatement(file)).toMatchObject({ total: 1, rows: [], faults: [], skipped: 1 }));
  }
});

describe("distinguishes what was received from what was returned or hasn't arrived:", () => {
  const standings: [string, Buffer, object][] = [
    ["已全额退款 (WeChat Pay)", wechatStatement([{ state: "已全额退款" }]), { state: "refunded", refunded_minor: 1250 }],
    ["已退款(￥5.00) (WeChat Pay)", wechatStatement([{ state: "已退款(￥5.00)" }]), { state: "partly_refunded", refunded_minor: 500 }],
    ["已退款(¥5.00) (WeChat Pay)", wechatStatement([{ state: "已退款(¥5.00)" }]), { state: "partly_refunded", refunded_minor: 500 }],
    ["已退款（¥5.00） (WeChat Pay)", wechatStatement([{ state: "已退款（¥5.00）" }]), { state: "partly_refunded", refunded_minor: 500 }],
    ["待确认收款 (WeChat Pay)", wechatStatement([{ state: "待确认收款" }]), { state: "unfinished" }],
    ["已过期 (WeChat Pay)", wechatStatement([{ state: "已过期" }]), { state: "unfinished" }],
    ["a state that is new (WeChat Pay)", wechatStatement([{ state: "审核" }]), { state: "unfinished" }],
    ["交易关闭 (Alipay)", alipayStatement([{ state: "交易关闭" }]), { state: "unfinished" }],
    ["交易关闭, counted neither way (Alipay)", alipayStatement([{ direction: "不计收支", state: "交易关闭" }]), { state: "unfinished" }],
    ["等待确认 (Alipay)", alipayStatement([{ state: "等待对方确认" }]), { state: "unfinished" }],
    ["退款成功 (Alipay)", alipayStatement([{ state: "退款成功" }]), { state: "refunded", refunded_minor: 1250 }],
    ["成功退款 5.00 (old Alipay)", olderAlipayStatement([{ refunded: "5.00" }]), { state: "partly_refunded", refunded_minor: 500 }],
    ["交易关闭 (old Alipay)", olderAlipayStatement([{ state: "交易关闭" }]), { state: "unfinished" }],
    ["已转入零钱通 (WeChat Pay)", wechatStatement([{ state: "已转入零钱通" }]), { state: "final" }],
  ];
  for (const [what, file, row] of standings) test(what, async () => expect((await parseStatement(file)).rows).toMatchObject([row]));

  test("money that the merchant returned identifies the transfer it came with", async () => {
    const wechat = await parseStatement(wechatStatement([{ direction: "支出", type: "二维码收款-退款", state: "对方已收钱" }]));
    expect(wechat).toMatchObject({ rows: [], refunds: [{ amount_minor: 1250, returns: null, payer_hint: "*明" }] });
    const alipay = await parseStatement(
      alipayStatement([{ direction: "支出", kind: "退款", state: "退款成功", number: "2026112022001418871430000001_118" }]),
    );
    expect(alipay.refunds).toMatchObject([{ returns: "2026112022001418871430000001" }]);
  });
});

describe("reports by its line, and accepts the others, a row with", () => {
  const faulty: [string, Buffer, string][] = [
    ["no number", wechatStatement([{ number: "/" }, {}]), "number_missing"],
    ["a number that a spreadsheet rounded", wechatStatement([{ number: "1.00005E+27" }, {}]), "number_rounded"],
    ["no amount", wechatStatement([{ amount: "" }, {}]), "amount_invalid"],
    ["half a cent", alipayStatement([{ amount: "0.005" }, {}]), "amount_invalid"],
    ["nothing", alipayStatement([{ amount: "0.00" }, {}]), "amount_invalid"],
    ["more than any order's amount", wechatStatement([{ amount: "9999999999999.00" }, {}]), "amount_invalid"],
    ["year 0", wechatStatement([{ time: "0000-01-01 10:00:00" }, {}]), "time_invalid"],
    ["a day that does not exist", wechatStatement([{ time: "2026-02-30 10:00:00" }, {}]), "time_invalid"],
    ["income with a minus", wechatStatement([{ amount: "-86.00" }, {}]), "amount_invalid"],
    ["income with a minus behind the sign", wechatStatement([{ amount: "¥-86.00" }, {}]), "amount_invalid"],
    ["letters in the amount", wechatStatement([{ amount: "86.0x" }, {}]), "amount_invalid"],
    ["a unit behind the amount", alipayStatement([{ amount: "86元" }, {}]), "amount_invalid"],
    ["an exponent", wechatStatement([{ amount: "1E2" }, {}]), "amount_invalid"],
    ["an amount in brackets", alipayStatement([{ amount: "(86.00)" }, {}]), "amount_invalid"],
    ["another currency's sign", wechatStatement([{ amount: "$86.00" }, {}]), "amount_invalid"],
    ["a direction that is none", wechatStatement([{ direction: "收" }, {}]), "columns_unclear"],
  ];
  for (const [what, file, code] of faulty) {
    test(what, async () => {
      const read = await parseStatement(file);
      expect(read.faults.map((one) => one.code)).toEqual([code]);
      expect(read.rows).toHaveLength(1);
      expect(read.rows[0]?.line).toBe((read.faults[0]?.line ?? 0) + 1);
      sumsUp(read);
    });
  }

  test("a transfer that the file already has", async () => {
    const { rows, faults } = await parseStatement(wechatStatement([{ number: "1000000001" }, { number: "1000000001" }]));
    expect([rows.length, faults[0]?.code]).toEqual([1, "repeated"]);
  });
});

describe("reads the same from a file", () => {
  const file = wechatStatement([{ number: "1000049901202611201234567890" }]);
  const text = file.toString("utf8");
  const copies: Record<string, Buffer> = {
    "without the mark of UTF-8": Buffer.from(text.slice(1)),
    "in GB18030": iconv.encode(text.slice(1), "gb18030"),
    "in UTF-16": Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text.slice(1), "utf16le")]),
    "with the line ends of Unix": Buffer.from(text.replaceAll("\r\n", "\n")),
    "with the line ends of old Macs": Buffer.from(text.replaceAll("\r\n", "\r")),
    "saved by a spreadsheet program": Buffer.from(text.replace("2026-11-20 16:00:00", "2026/11/20 16:00").replaceAll('"', "")),
    "with tabs between the cells": Buffer.from(text.replaceAll("\t", "").replaceAll(",", "\t")),
  };
  for (const [how, copy] of Object.entries(copies)) {
    test(how, async () => expect(await parseStatement(copy)).toEqual(await parseStatement(file)));
  }
});

describe("refuses completely", () => {
  const refused: [string, Uint8Array, string][] = [
    ["an old workbook, or one with a password", Buffer.from("d0cf11e0a1b11ae1", "hex"), "unsupported_media_type"],
    ["a PDF", Buffer.from("%PDF-1.7"), "unsupported_media_type"],
    ["nothing", Buffer.alloc(0), "parameter_invalid"],
    ["another table", Buffer.from("date,amount\n2026-11-20,1\n"), "parameter_invalid"],
    ["bytes that are no text", Buffer.from("ff00ff80ff".repeat(100), "hex"), "parameter_invalid"],
    ["a NUL in a text", wechatStatement([{ payer: "Li\u0000Na" }]), "parameter_invalid"],
    ["more than 5000 rows", wechatStatement(Array.from({ length: 5001 }, () => ({}))), "parameter_invalid"],
  ];
  for (const [what, file, code] of refused) {
    test(what, async () => expect(parseStatement(file)).rejects.toMatchObject({ code } satisfies Partial<AppError>));
  }

  test("the other wallet's statement", async () => {
    await expect(parseStatement(wechatStatement([{}]), "alipay")).rejects.toMatchObject({ code: "parameter_conflict" });
    expect((await parseStatement(wechatStatement([{}]), "wechat")).rows).toHaveLength(1);
  });
});

test("a quote that is never closed harms no other row", async () => {
  const text = wechatStatement([{ number: "1000000001" }, { number: "1000000002" }, { number: "1000000003" }]).toString("utf8");
  const read = await parseStatement(Buffer.from(text.replace("*明", '"*明')));
  expect(read.rows.map((row) => row.external_id)).toEqual(expect.arrayContaining(["1000000002", "1000000003"]));
  expect(read.total).toBe(3);
  sumsUp(read);
});
