import Fastify from "fastify";
import { readListing } from "#app/backup/bucket/read-listing.ts";
import { paymentMethods } from "#app/payment-methods.ts";
import { maskSecrets } from "#app/runtime/log.ts";
import { deviceOf } from "#checkout/index.ts";
import { chooseCode } from "#collection/code/choose-code.ts";
import { type Channel, parseStatement } from "#collection/index.ts";
import { checkHeaders } from "#email/accept/check-parts.ts";
import { readReport } from "#email/bounce/read-report.ts";
import { composeEmail } from "#email/compose/compose-email.ts";
import { textOfHtml } from "#email/html/text-of-html.ts";
import { walkHtml } from "#email/html/walk-html.ts";
import { readMailbox } from "#email/index.ts";
import { trackHtml } from "#email/tracking/track-html.ts";
import { createTokenReader } from "#identity/index.ts";
import { cleanName, cleanText } from "#notices/mail/clean-text.ts";
import { holdsCardNumber } from "#platform/card-numbers.ts";
import { chooseLanguage, fingerprintOf, maskCardNumbers, minorOf, readBase64, readIdempotencyKey } from "#platform/index.ts";
import { readPolicy } from "#providers/email/smtp/mx/mta-sts.ts";
import { liftContents } from "#requests/bodies/lift-contents.ts";
import { readIfMatch } from "#requests/if-match.ts";
import { parseJson } from "#requests/validation/parse-json.ts";
import { contextOn } from "#test/support/app/context.ts";
import { plainMessage } from "#test/support/mail/plain-message.ts";
import { workbook } from "#test/support/statements/workbooks.ts";
import { type Poison, poisonHtml, poisonTexts, times } from "./html.ts";
import { poisonJson } from "./json.ts";
import { carrierWork } from "./linear-carriers.ts";
import { paymentWork } from "./linear-payments.ts";
import { type LinearWork, tried } from "./linear-reader.ts";

const tracking = {
  open: "https://mail.example/o/x.gif",
  click: { base: "https://mail.example/c/", key: { version: 1, key: new Uint8Array(32) }, parts: ["prj_1"] },
  own: ["https://mail.example/"],
};
const codeOf = (channel: Channel, text: string) => chooseCode({ channel, texts: [text], param: "qr_payload" });

const mailParts = (type: string, text: string) =>
  Buffer.from(`Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: ${type}\r\n\r\n${text}\r\n--b--\r\n`);

/** Whole inbound emails, and reports in them. */
const poisonMails: Readonly<Record<string, Poison>> = {
  ...Object.fromEntries(
    Object.entries(poisonTexts).map(([kind, make]) => [`a header of ${kind}`, (length: number) => `X-A: ${make(length)}\r\n\r\nx`]),
  ),
  ...Object.fromEntries(
    Object.entries(poisonTexts).map(([kind, make]) => [
      `a content type of ${kind}`,
      (length: number) => `Content-Type: ${make(length)}\r\n\r\nx`,
    ]),
  ),
  "many headers": (length) => `${"X-A: b\r\n".repeat(length / 8)}\r\nx`,
  "parts in one another": (length) =>
    Array.from({ length: length / 60 }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`).join(""),
  "parts beside one another": (length) => `Content-Type: multipart/mixed; boundary=b\r\n\r\n${"--b\r\n\r\nx\r\n".repeat(length / 10)}--b--`,
  "beginnings of boundaries": (length) => `Content-Type: multipart/mixed; boundary=b\r\n\r\n${"--\r\n".repeat(length / 4)}`,
  "quoted-printable": (length) => `Content-Transfer-Encoding: quoted-printable\r\n\r\n${"=3D=\r\n".repeat(length / 6)}`,
  "many recipients": (length) => `To: ${"a@b.example, ".repeat(length / 13)}\r\n\r\nx`,
  "groups of recipients": (length) => `To: ${"a:".repeat(length / 2)}\r\n\r\nx`,
};

const statement = (rows: string) =>
  Buffer.from(`微信支付账单明细\n交易时间,交易类型,交易对方,商品,收/支,金额(元),支付方式,当前状态,交易单号,商户单号,备注\n${rows}`);
const inRow: Readonly<Record<string, Poison>> = Object.fromEntries(
  Object.entries(poisonTexts).map(([kind, make]) => [
    kind,
    (length: number) => `2026-11-20 12:00:00,转账,${make(length)},/,收入,¥1.00,零钱,已收钱,1,2,/`,
  ]),
);
const manyRows: Readonly<Record<string, Poison>> = {
  ...inRow,
  rows: (length) => '2026-11-20 12:00:00,转账,王,"/",收入,¥1.00,零钱,已收钱,1,2,/\n'.repeat(length / 60),
  "quotes that nobody closed": (length) => '2026-11-20 12:00:00,转账,"王\n'.repeat(length / 24),
};

const inSheet = (text: string) => `<worksheet><sheetData>${text}</sheetData></worksheet>`;
const poisonSheets: Readonly<Record<string, Poison>> = {
  ...Object.fromEntries(
    Object.entries(poisonTexts).map(([kind, make]) => [
      `a cell of ${kind}`,
      (length: number) => inSheet(`<row r="1"><c r="A1" t="inlineStr"><is><t>${make(length)}</t></is></c></row>`),
    ]),
  ),
  ...Object.fromEntries(Object.entries(poisonHtml).map(([kind, make]) => [kind, (length: number) => inSheet(make(length))])),
  rows: (length) => inSheet('<row><c t="inlineStr"><is><t>x</t></is></c></row>'.repeat(length / 50)),
  cells: (length) => inSheet(`<row>${"<c><v>1</v></c>".repeat(length / 15)}</row>`),
  "pieces of one cell": (length) => inSheet(`<row><c t="inlineStr"><is>${"<r><t>x</t></r>".repeat(length / 15)}</is></c></row>`),
};

const poisonListings: Readonly<Record<string, Poison>> = {
  objects: (length) => times("<Contents><Key>a</Key><Size>1</Size></Contents>", length),
  "objects that aren't closed": (length) => times("<Contents>", length),
  "keys that aren't closed": (length) => `<Contents>${times("<Key>a", length)}</Contents>`,
};

const readToken = createTokenReader(contextOn({ db: {} } as never, { now: () => new Date(), files: {} as never }));
const proxied = Fastify({ trustProxy: ["10.0.0.0/8"] });
proxied.get("/", async (request) => ({ ip: request.ip, ips: request.ips?.length }));

/** Every reader of what strangers write, with the texts that it gets. */
export const linearWork: readonly LinearWork[] = [
  { name: "HTML, read", poisons: poisonHtml, run: (text) => walkHtml(text, {}) },
  { name: "HTML, as text", poisons: poisonHtml, run: (text) => textOfHtml(text) },
  { name: "HTML, tracked", poisons: poisonHtml, run: (text) => trackHtml(text, tracking) },
  { name: "a mail composed of HTML", poisons: poisonHtml, run: (html) => composeEmail({ ...plainMessage, html, text: html }) },
  { name: "a subject", poisons: poisonTexts, run: (subject) => composeEmail({ ...plainMessage, subject }) },
  {
    name: "a header of the sender's own",
    poisons: poisonTexts,
    run: (value) => composeEmail({ ...plainMessage, headers: { "X-A": value, References: value } }),
  },
  {
    name: "a sender's name",
    poisons: poisonTexts,
    run: (name) => composeEmail({ ...plainMessage, from: `"${name.replace(/["\\\r\n]/g, "")}" <a@b.example>` }),
  },
  {
    name: "an address",
    poisons: poisonTexts,
    run: (text) => [text, `${text} <a@b.example>`, `a@${text}`, `${text}@b.example`].map(readMailbox),
  },
  {
    name: "headers at acceptance",
    poisons: poisonTexts,
    run: (value) => checkHeaders({ headers: { "X-A": value, [value]: "x" } } as never, () => {}),
  },
  { name: "a mail that comes in", poisons: poisonMails, run: (text) => readReport(Buffer.from(text)) },
  {
    name: "a delivery report",
    poisons: poisonTexts,
    run: (text) =>
      readReport(
        mailParts(
          "message/delivery-status",
          `Reporting-MTA: dns; x\r\n\r\nAction: failed\r\nFinal-Recipient: rfc822; ${text}\r\nDiagnostic-Code: smtp; ${text}`,
        ),
      ),
  },
  {
    name: "a complaint",
    poisons: poisonTexts,
    run: (text) =>
      readReport(mailParts("message/feedback-report", `Feedback-Type: abuse\r\nOriginal-Rcpt-To: ${text}\r\nOriginal-Mail-From: ${text}`)),
  },
  { name: "a list of a bucket", poisons: poisonListings, run: readListing },
  {
    name: "a report of qmail's",
    poisons: poisonTexts,
    run: (text) => readReport(Buffer.from(`\r\nHi. This is the qmail-send program\r\n\r\n<${text}>:\r\n${text}\r\n\r\n${text}`)),
  },
  { name: "JSON", poisons: poisonJson, run: (text) => tried(() => parseJson(Buffer.from(text))) },
  { name: "JSON, its attachments lifted out", poisons: poisonJson, run: (text) => tried(() => liftContents(parseJson(Buffer.from(text)))) },
  { name: "JSON, its fingerprint", poisons: poisonJson, run: (text) => tried(() => fingerprintOf(JSON.parse(text))) },
  { name: "base64", byEngine: true, poisons: poisonTexts, run: (text) => readBase64(text) },
  { name: "a wallet's statement", poisons: manyRows, run: (rows) => tried(() => parseStatement(statement(rows))) },
  {
    name: "a wallet's workbook",
    poisons: poisonSheets,
    run: (sheet) => tried(() => parseStatement(workbook([], [{ name: "xl/worksheets/sheet1.xml", text: sheet }]))),
  },
  {
    name: "the text of a QR code",
    byEngine: true,
    poisons: poisonTexts,
    run: (text) => tried(() => codeOf("wechat", `wxp://f2f${text}`)).then(() => tried(() => codeOf("alipay", text))),
  },
  { name: "a card number", poisons: poisonTexts, run: (text) => [holdsCardNumber(text), maskCardNumbers(text)] },
  { name: "an amount", byEngine: true, poisons: poisonTexts, run: (text) => minorOf(`1.${text}`, 2) },
  {
    name: "a line of the log",
    byEngine: true,
    poisons: poisonTexts,
    run: (text) => maskSecrets(JSON.stringify({ msg: text, url: `postgres://${text}`, password: text })),
  },
  { name: "a name in our own mail", byEngine: true, poisons: poisonTexts, run: (text) => [cleanName(text), cleanText(text)] },
  {
    name: "a mail server's policy",
    byEngine: true,
    poisons: poisonTexts,
    run: (text) => readPolicy(`version: STSv1\nmode: enforce\n${text}: x\nmx: ${text}\nmax_age: 1`),
  },
  { name: "Idempotency-Key", byEngine: true, poisons: poisonTexts, run: (text) => tried(() => readIdempotencyKey(text)) },
  { name: "If-Match", byEngine: true, poisons: poisonTexts, run: (text) => tried(() => readIfMatch({ headers: { "if-match": text } })) },
  {
    name: "Accept-Language and User-Agent",
    byEngine: true,
    poisons: poisonTexts,
    run: (text) => [chooseLanguage({ accepted: text }), deviceOf(text, paymentMethods)],
  },
  { name: "a cookie", poisons: poisonTexts, run: (text) => [readToken(text), readToken(`a=${text}; b=c`)] },
  {
    name: "X-Forwarded-For",
    poisons: poisonTexts,
    run: (text) => proxied.inject({ url: "/", remoteAddress: "10.0.0.1", headers: { "x-forwarded-for": text.replace(/[\r\n]/g, ",") } }),
  },
  ...carrierWork,
  ...paymentWork,
];

/** Every `each`-th of the hostile texts of the reader at `index`, different ones for each reader; none if steps don't measure it. */
export function kindsOf(index: number, each: number): string[] {
  const work = linearWork[index];
  return work === undefined || work.byEngine === true ? [] : Object.keys(work.poisons).filter((_kind, at) => (at + index) % each === 0);
}
