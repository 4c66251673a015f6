import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import type { AppError } from "#platform/index.ts";
import { alipayStatement, olderAlipayStatement, wechatStatement } from "#test/statements.ts";
import { parseStatement } from "./parse-statement.ts";

const beijing = (text: string) => new Date(`${text}+08:00`);

test("reads money received from a WeChat Pay statement, in Beijing time, with the payer's note", () => {
  const file = wechatStatement([
    { number: "1000049901202611201234567890", amount: "¥1,234.50", payer: "老王", goods: "收款方备注:二维码收款付款方留言:4821", time: "2026-11-20 16:03:09" },
  ]);
  expect(parseStatement(file)).toEqual({
    channel: "wechat",
    skipped: 0,
    faults: [],
    rows: [
      {
        line: 18,
        external_id: "1000049901202611201234567890",
        amount_minor: 123_450,
        occurred_at: beijing("2026-11-20T16:03:09"),
        payer_hint: "老王",
        remark: "收款方备注:二维码收款付款方留言:4821",
      },
    ],
  });
});

test("reads an Alipay statement of the app and of the old website", () => {
  const [app] = parseStatement(alipayStatement([{ number: "2026112022001418871430000001", amount: "99.90", note: "4821" }])).rows;
  expect(app).toEqual({
    line: 14,
    external_id: "2026112022001418871430000001",
    amount_minor: 9990,
    occurred_at: beijing("2026-11-20T16:00:00"),
    payer_hint: "小明(**明) 138******00",
    remark: "收钱码收款 4821",
  });
  const older = parseStatement(olderAlipayStatement([{ number: "2016112021001004000000000001" }]));
  expect(older).toMatchObject({
    channel: "alipay",
    faults: [],
    rows: [{ line: 6, external_id: "2016112021001004000000000001", amount_minor: 1250, occurred_at: beijing("2026-11-20T16:00:00") }],
  });
});

describe("takes no row for a receipt that is", () => {
  const none: Record<string, Buffer> = {
    "a payment (WeChat Pay)": wechatStatement([{ direction: "支出" }]),
    "a withdrawal (WeChat Pay)": wechatStatement([{ direction: "/", type: "零钱提现", state: "提现已到账" }]),
    "a refund of a purchase (WeChat Pay)": wechatStatement([{ type: "商户消费-退款", state: "已全额退款" }]),
    "a payment (Alipay)": alipayStatement([{ direction: "支出" }]),
    "interest (Alipay)": alipayStatement([{ direction: "不计收支", kind: "投资理财" }]),
    "a refund of a purchase (Alipay)": alipayStatement([{ kind: "退款", state: "退款成功" }]),
    "a closed transfer (Alipay)": alipayStatement([{ state: "交易关闭" }]),
    "a payment (old Alipay)": olderAlipayStatement([{ direction: "支出" }]),
  };
  for (const [what, file] of Object.entries(none)) {
    test(what, () => expect(parseStatement(file)).toMatchObject({ rows: [], faults: [] }));
  }
});

describe("lists with its line, and takes the others, a row with", () => {
  const faulty: [string, Buffer, string][] = [
    ["no number", wechatStatement([{ number: "/" }, {}]), "number_missing"],
    ["a number that a spreadsheet rounded", wechatStatement([{ number: "1.00005E+27" }, {}]), "number_rounded"],
    ["no amount", wechatStatement([{ amount: "" }, {}]), "amount_invalid"],
    ["half a cent", alipayStatement([{ amount: "0.005" }, {}]), "amount_invalid"],
    ["nothing", alipayStatement([{ amount: "0.00" }, {}]), "amount_invalid"],
    ["more than any order's amount", wechatStatement([{ amount: "9999999999999.00" }, {}]), "amount_invalid"],
    ["year 0", wechatStatement([{ time: "0000-01-01 10:00:00" }, {}]), "time_invalid"],
    ["a day that does not exist", wechatStatement([{ time: "2026-02-30 10:00:00" }, {}]), "time_invalid"],
    ["money given back since (WeChat Pay)", wechatStatement([{ state: "已退款(￥5.00)" }, {}]), "refunded"],
    ["money given back since (old Alipay)", olderAlipayStatement([{ refunded: "5.00" }, {}]), "refunded"],
  ];
  for (const [what, file, code] of faulty) {
    test(what, () => {
      const { rows, faults } = parseStatement(file);
      expect(faults.map((one) => one.code)).toEqual([code]);
      expect(rows).toHaveLength(1);
      expect(rows[0]?.line).toBe((faults[0]?.line ?? 0) + 1);
    });
  }

  test("a transfer that stands in the file before", () => {
    const { rows, faults } = parseStatement(wechatStatement([{ number: "1000000001" }, { number: "1000000001" }]));
    expect([rows.length, faults[0]?.code]).toEqual([1, "repeated"]);
  });
});

describe("reads the same from a file", () => {
  const file = wechatStatement([{ number: "1000049901202611201234567890" }]);
  const text = file.toString("utf8");
  const wanted = parseStatement(file);
  const copies: Record<string, Buffer> = {
    "without the mark of UTF-8": Buffer.from(text.slice(1)),
    "in GB18030": iconv.encode(text.slice(1), "gb18030"),
    "in UTF-16": Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text.slice(1), "utf16le")]),
    "with the line ends of Unix": Buffer.from(text.replaceAll("\r\n", "\n")),
    "with the line ends of old Macs": Buffer.from(text.replaceAll("\r\n", "\r")),
    "saved by a spreadsheet program": Buffer.from(text.replace("2026-11-20 16:00:00", "2026/11/20 16:00").replaceAll('"', "")),
  };
  for (const [how, copy] of Object.entries(copies)) {
    test(how, () => expect(parseStatement(copy)).toEqual(wanted));
  }
});

describe("refuses whole", () => {
  const refused: [string, Uint8Array, string][] = [
    ["a workbook", Buffer.from("PK\u0003\u0004xl/workbook.xml"), "unsupported_media_type"],
    ["an old workbook", Buffer.from("d0cf11e0a1b11ae1", "hex"), "unsupported_media_type"],
    ["a PDF", Buffer.from("%PDF-1.7"), "unsupported_media_type"],
    ["nothing", Buffer.alloc(0), "parameter_invalid"],
    ["another table", Buffer.from("date,amount\n2026-11-20,1\n"), "parameter_invalid"],
    ["bytes that are no text", Buffer.from("ff00ff80ff".repeat(100), "hex"), "parameter_invalid"],
    ["a NUL in a text", wechatStatement([{ payer: "Li\u0000Na" }]), "parameter_invalid"],
    ["more than 5000 rows", wechatStatement(Array.from({ length: 5001 }, () => ({}))), "parameter_invalid"],
  ];
  for (const [what, file, code] of refused) {
    test(what, () => expect(codeOf(() => parseStatement(file))).toBe(code));
  }

  test("the other wallet's statement", () => {
    expect(codeOf(() => parseStatement(wechatStatement([{}]), "alipay"))).toBe("parameter_conflict");
    expect(parseStatement(wechatStatement([{}]), "wechat").rows).toHaveLength(1);
  });
});

test("a quote that is never closed spoils its own table and nothing else", () => {
  const text = wechatStatement([{}, {}]).toString("utf8");
  expect(() => parseStatement(Buffer.from(text.replace("*明", '"*明')))).not.toThrow();
});

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as AppError).code;
  }
  return "none";
}
