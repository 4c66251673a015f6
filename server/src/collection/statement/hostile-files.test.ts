import { describe, expect, test } from "vitest";
import { wechatWorkbook } from "#test/support/statements/merchant-bills.ts";
import { type Part, sheetXml, workbook, zip } from "#test/support/statements/workbooks.ts";
import { parseStatement } from "./parse-statement.ts";

const sheet = "xl/worksheets/sheet1.xml";
const replaced = (text: string | Buffer, more: Partial<Part> = {}) => wechatWorkbook([{}], [{ name: sheet, text, ...more }]);
const open = '<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>';
const close = "</t></is></c></row></sheetData></worksheet>";

describe("refuses a workbook with an explanation", () => {
  const hostile: [string, Buffer, RegExp][] = [
    ["that is no workbook", Buffer.from("PK\u0003\u0004rest"), /damaged/],
    ["that is cut off", wechatWorkbook([{}]).subarray(0, 900), /damaged/],
    ["that is another archive", zip([{ name: "账单.csv", text: "a" }]), /Unpack it/],
    ["with a password", zip([{ name: "账单.csv", text: "a", encrypted: true }]), /password/],
    ["that unpacks to thousands of times its size", replaced(Buffer.alloc(20_000_000, " ")), /far larger than a statement/],
    ["that unpacks to more than it says", replaced(`${open}${"a".repeat(3_000_000)}${close}`, { claimedSize: 1000 }), /damaged/],
    ["that says it is of 4 GB", replaced("x", { claimedSize: 4_000_000_000 }), /far larger than a statement/],
    ["with an entity of its own", replaced(`<!DOCTYPE w [<!ENTITY a "b">]>${open}&a;${close}`), /document type/],
    ["with an entity in another file", replaced(`<!DOCTYPE w SYSTEM "file:///etc/passwd">${open}${close}`), /document type/],
    ["with an entity that nobody defined", replaced(`${open}&lol9;${close}`), /damaged/],
    [
      "with a formula",
      replaced('<worksheet><sheetData><row r="1"><c r="A1"><f>WEBSERVICE("http://x")</f><v>1</v></c></row></sheetData></worksheet>'),
      /formulas/,
    ],
    ["with macros", wechatWorkbook([{}], [{ name: "xl/vbaProject.bin", text: "x" }]), /macros/],
    ["with links to other files", wechatWorkbook([{}], [{ name: "xl/externalLinks/externalLink1.xml", text: "x" }]), /links/],
    ["of a thousand parts", zip(Array.from({ length: 1000 }, (_, n) => ({ name: `xl/${n}`, text: "" }))), /far more files/],
    ["nested a thousand deep", replaced("<a>".repeat(1000)), /more deeply/],
    ["whose text is not UTF-8", replaced(Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0xfe])), /damaged/],
    [
      "without a sheet",
      workbook([["a"]], [{ name: "xl/_rels/workbook.xml.rels", text: '<r><Relationship Id="rId3" Target="../../etc/passwd"/></r>' }]),
      /damaged/,
    ],
    [
      "that counts from 1904",
      wechatWorkbook([{}], [{ name: "xl/workbook.xml", text: '<workbook><workbookPr date1904="1"/></workbook>' }]),
      /1904/,
    ],
    ["of 6000 rows", wechatWorkbook(Array.from({ length: 6000 }, () => ({}))), /5000 rows/],
  ];
  for (const [what, file, words] of hostile) {
    test(what, async () =>
      expect(parseStatement(file)).rejects.toMatchObject({ code: "parameter_invalid", message: expect.stringMatching(words) }),
    );
  }
});

test("a sheet of a million empty columns and rows costs nothing", async () => {
  const text = sheetXml([["交易时间"]]).replace(
    "</sheetData>",
    '<row r="1048576"><c r="XFD1048576" s="1"/><c r="XFD1048576" t="inlineStr"><is><t>x</t></is></c></row></sheetData>',
  );
  await expect(parseStatement(replaced(text))).rejects.toMatchObject({ message: expect.stringMatching(/column names/) });
});

test("a number that the workbook has rounded is reported, and the amounts of floats are exact", async () => {
  const rows = [{ amount: "0.29" }, { amount: "1234.56" }];
  const text = sheetXml([
    ["交易时间", "交易类型", "交易对方", "商品", "收/支", "金额(元)", "支付方式", "当前状态", "交易单号", "商户单号", "备注"],
    [46283.79487268518, "转账", "李四", "/", "收入", 0.28999999999999998, "/", "已存入零钱", "1000049901", "/", "/"],
    [46283.79487268518, "转账", "李四", "/", "收入", 1234.56, "/", "已存入零钱", 1.00004990120261e27, "/", "/"],
  ]);
  const read = await parseStatement(replaced(text));
  expect(read).toMatchObject({
    total: rows.length,
    rows: [{ amount_minor: 29, occurred_at: new Date("2026-09-18T11:04:37Z") }],
    faults: [{ code: "number_rounded" }],
  });
});
