import { generateKeyPairSync } from "node:crypto";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { dkimRecordOf } from "#test/support/mail/dkim-record.ts";
import { plainMessage } from "#test/support/mail/plain-message.ts";
import { readDkimKey } from "../domain/dkim-key.ts";
import { type ComposeParts, composeEmail } from "./compose-email.ts";
import { signDkim } from "./sign-dkim.ts";

const pem = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const dkim = { domain: "acme.example", selector: "t1", key: readDkimKey(pem) };
const unsubscribe = { url: `https://mail.acme.example/u/${"t".repeat(200)}` };

async function made(parts: Partial<ComposeParts>) {
  const raw = await composeEmail({ ...plainMessage, ...parts });
  const text = raw.toString("utf8");
  return { raw, text, head: text.slice(0, text.indexOf("\r\n\r\n")), mail: await PostalMime.parse(raw) };
}

/** Asks mailauth, with our public key as the only thing that DNS knows. */
async function verdict(raw: Buffer) {
  const resolver = async (name: string) => {
    if (name === "t1._domainkey.acme.example") return [[dkimRecordOf(dkim.key)]];
    throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
  };
  const { results } = await dkimVerify(raw, { resolver });
  const [first] = results;
  return {
    result: first?.status.result,
    covered: String((first as unknown as { signingHeaders?: { keys: string } } | undefined)?.signingHeaders?.keys ?? "").toLowerCase(),
  };
}

test("a message retains its Message-ID and date and lists no one in Bcc", async () => {
  const { mail, head } = await made({});
  expect(mail.messageId).toBe("<em_1@acme.example>");
  expect(head).toContain("Date: Fri, 20 Nov 2026 08:00:00 +0000");
  expect(head).not.toMatch(/^bcc:/im);
});

test("attachments arrive byte for byte: inline ones with the HTML, others separately", async () => {
  const content = Buffer.from(Array.from({ length: 5_000 }, (_, at) => at % 256));
  const { mail } = await made({
    html: '<img src="cid:logo">',
    attachments: [
      { filename: "Größe 你好.png", content, content_type: "image/png", content_id: "logo" },
      { filename: "bill.pdf", content, content_type: null, content_id: null },
    ],
  });
  expect(
    mail.attachments.map(({ filename, mimeType, disposition, contentId }) => ({ filename, mimeType, disposition, contentId })),
  ).toEqual([
    { filename: "Größe 你好.png", mimeType: "image/png", disposition: "inline", contentId: "<logo>" },
    { filename: "bill.pdf", mimeType: "application/pdf", disposition: "attachment", contentId: undefined },
  ]);
  expect(mail.attachments.every((one) => Buffer.from(one.content as ArrayBuffer).equals(content))).toBe(true);
});

test.each([
  [
    "with the line ends of another system",
    "Subject: Inner\n\nHi\nthere\rend\n",
    { type: "message/rfc822", bytes: "Subject: Inner\r\n\r\nHi\r\nthere\r\nend\r\n" },
  ],
  ["beyond ASCII", "Subject: Inner\n\nHé\n", { type: "application/octet-stream", bytes: "Subject: Inner\n\nHé\n" }],
  ["with a NUL", "Subject: Inner\n\n\0\n", { type: "application/octet-stream", bytes: "Subject: Inner\n\n\0\n" }],
  [
    "with a line of 999 bytes",
    `Subject: Inner\n\n${"x".repeat(999)}`,
    { type: "application/octet-stream", bytes: `Subject: Inner\n\n${"x".repeat(999)}` },
  ],
])("a message attached %s keeps the whole valid for its transport, and its signature valid", async (_what, text, { type, bytes }) => {
  for (const content_type of ["message/rfc822", null]) {
    const { raw, mail } = await made({
      dkim,
      attachments: [{ filename: "inner.eml", content: Buffer.from(text), content_type, content_id: null }],
    });
    const whole = raw.toString("latin1");
    expect(whole).not.toMatch(/[^\r]\n|\r[^\n]|[^\x01-\x7f]|[^\r\n]{999}/);
    expect(whole).toContain(`Content-Type: ${type}; name=inner.eml`);
    expect((await verdict(raw)).result).toBe("pass");
    if (type === "message/rfc822") expect(whole).toContain(bytes);
    else expect(Buffer.from(mail.attachments[0]?.content as ArrayBuffer).toString()).toBe(bytes);
  }
});

test.each(["multipart/mixed", "message/external-body", "Message/Partial"])(
  "a file declared as %s is a file of bytes",
  async (content_type) => {
    const { text } = await made({ attachments: [{ filename: "x.bin", content: Buffer.from("x\ny"), content_type, content_id: null }] });
    expect(text).toContain("Content-Type: application/octet-stream; name=x.bin\r\nContent-Transfer-Encoding: base64");
  },
);

const invitation = "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nSUMMARY:Fitting é\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

test.each([
  [
    "by its media type",
    { filename: "invite.ics", content_type: "text/calendar; method=REQUEST" },
    "text/calendar; charset=utf-8; method=REQUEST",
  ],
  ["by its name", { filename: "invite.ics", content_type: null }, "text/calendar; charset=utf-8; method=REQUEST"],
  [
    "by its own method, whatever is said of it",
    { filename: "a", content_type: "text/calendar; method=CANCEL" },
    "text/calendar; charset=utf-8; method=REQUEST",
  ],
])("an invitation, recognized %s, is both an attachment and an alternative of the message", async (_how, file, type) => {
  const { raw, text, mail } = await made({
    dkim,
    html: "<p>Come</p>",
    attachments: [{ ...file, content: Buffer.from(invitation), content_id: null }],
  });
  const alternative = /Content-Type: multipart\/alternative[\s\S]*?boundary="([^"]+)"/.exec(text)?.[1] ?? "";
  const forms = text
    .split(`--${alternative}`)
    .slice(1, -1)
    .map((part) => /Content-Type: ([^\r\n]*(?:\r\n [^\r\n]*)*)/.exec(part)?.[1]?.replace(/\r\n /g, " "));
  expect(forms).toEqual(["text/plain; charset=utf-8", "text/html; charset=utf-8", type]);
  const calendars = mail.attachments.filter(({ mimeType }) => mimeType === "text/calendar");
  expect(calendars.map(({ disposition }) => disposition)).toContain("attachment");
  const texts = calendars.map(({ content }) => (typeof content === "string" ? content : Buffer.from(content as ArrayBuffer).toString()));
  expect(texts.map((one) => one.replace(/\r?\n/g, "\r\n"))).toEqual([invitation, invitation]);
  expect((await verdict(raw)).result).toBe("pass");
});

test.each([
  ["a calendar that is not text", { filename: "a.ics", content_type: "text/calendar", content: Buffer.from([0xff, 0xfe, 0x41]) }],
  ["another file", { filename: "a.txt", content_type: "text/plain", content: Buffer.from(invitation) }],
])("%s is only attached", async (_what, file) => {
  const { text } = await made({ html: "<p>Come</p>", attachments: [{ ...file, content_id: null }] });
  expect(text).not.toContain("method=");
  expect(text.match(/Content-Disposition: attachment/g)).toHaveLength(1);
});

test.each([
  ["one word of 900 letters", "x".repeat(900)],
  ["an address among words", `See https://acme.example/${"q".repeat(300)} now`],
  ["a word just longer than a line", `Hi ${"z".repeat(70)}`],
  ["signs of four bytes at the seams", `${"k".repeat(62)}${"😀é你".repeat(40)}`],
  ["what looks like an encoded word", "=?UTF-8?B?ZmFrZQ==?= and more"],
])("a subject with %s arrives as written, in lines that are neither too long nor empty", async (_what, subject) => {
  const { mail, head, raw } = await made({ subject, dkim });
  expect(mail.subject).toBe(subject);
  const field = /^Subject:.*(?:\r\n[ \t].*)*/m.exec(head)?.[0] ?? "";
  expect(field.match(/\n[ \t]/g)?.length ?? 0).toBe(field.split("?=\r\n =?").length - 1);
  expect(field.split("\r\n").every((line) => line.length <= 78 && /^(Subject:)? \S/.test(line))).toBe(true);
  expect((await verdict(raw)).result).toBe("pass");
});

test("Feedback-ID tells providers whose email was complained about, and the signature covers it", async () => {
  const { head, raw } = await made({ dkim, feedback_id: "bat_1:prj_1:marketing:tillpost" });
  expect(head).toContain("\r\nFeedback-ID: bat_1:prj_1:marketing:tillpost\r\n");
  const { result, covered } = await verdict(raw);
  expect([result, covered.split(/[:,\s]+/).includes("feedback-id")]).toEqual(["pass", true]);
});

test("an attachment is never read from a file or a URL, whatever its content says", async () => {
  const { text } = await made({
    attachments: [{ filename: "x", content: Buffer.from("/etc/passwd"), content_type: "text/plain", content_id: null }],
  });
  expect(text).toContain(Buffer.from("/etc/passwd").toString("base64"));
});

test("names, subjects and domains outside ASCII are encoded as email requires", async () => {
  const { mail, head } = await made({
    from: "Büro <hello@bücher.example>",
    subject: "你好 €",
    to: ["Łukasz <l@example.com>"],
    text: "grüß dich 你",
  });
  expect(head).toMatch(/^[\x20-\x7e\r\n]*$/);
  expect(head).toContain("hello@xn--bcher-kva.example");
  expect({ from: mail.from?.name, to: mail.to?.[0]?.name, subject: mail.subject, text: mail.text?.trim() }).toEqual({
    from: "Büro",
    to: "Łukasz",
    subject: "你好 €",
    text: "grüß dich 你",
  });
});

test.each([
  ["Acme: Support <a@acme.example>", "Acme: Support"],
  ["Acme (Shop) <a@acme.example>", "Acme (Shop)"],
  ["Sorry :( <a@acme.example>", "Sorry :("],
  ["=Acme= [1] <a@acme.example>", "=Acme= [1]"],
  ['"Eve <eve@evil.example>, Ltd" <a@acme.example>', "Eve <eve@evil.example>, Ltd"],
  ['"eve@evil.example" <a@acme.example>', "eve@evil.example"],
  ['"a \\"quoted\\" name" <a@acme.example>', 'a "quoted" name'],
])("one address remains one, with its whole name: %s", async (text, name) => {
  const { mail } = await made({ from: text, to: [text], cc: [text], reply_to: [text] });
  for (const field of [[mail.from], mail.to, mail.cc, mail.replyTo]) expect(field).toEqual([{ name, address: "a@acme.example" }]);
});

test("an address with a local part outside ASCII is unchanged", async () => {
  const { head } = await made({ to: ["用户@例子.example"] });
  expect(head).toContain("用户@");
});

test("line breaks in subjects, names and header values create no new header", async () => {
  const { head } = await made({
    subject: "Hi\r\nBcc: evil@example.com",
    from: '"A\r\nBcc: evil@example.com" <a@acme.example>',
    headers: { "X-Note": "a\r\nBcc: evil@example.com\r\n\r\nbody" },
  });
  expect(head.split("\r\n").filter((line) => /^bcc:/i.test(line))).toEqual([]);
});

test("every line ends with CR LF and none is longer than email allows", async () => {
  const { raw, text } = await made({ text: `one\ntwo\r\nthree\rfour\n${"x".repeat(5_000)}`, html: `<p>${"y".repeat(5_000)}</p>\n` });
  expect(raw.toString("latin1")).not.toMatch(/[^\r]\n|\r[^\n]/);
  expect(Math.max(...text.split("\r\n").map((line) => line.length))).toBeLessThan(998);
});

test("a one-click unsubscribe is in both headers, replacing the caller's own", async () => {
  const { head } = await made({ unsubscribe, headers: { "list-unsubscribe": "<mailto:x@example.com>" } });
  expect(head).toContain(`List-Unsubscribe: <${unsubscribe.url}>\r\n`);
  expect(head).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
  expect(head).not.toContain("mailto:");
});

test("another verifier accepts the signature, with both unsubscribe headers covered", async () => {
  const { raw } = await made({
    unsubscribe,
    dkim,
    html: "<p>Hi \t there  </p>\n\n\n",
    text: "Hi \n\n  there\t\n\n\n",
    cc: ["b@example.com"],
  });
  const { result, covered } = await verdict(raw);
  expect(result).toBe("pass");
  expect(covered.split(/[:,\s]+/)).toEqual(
    expect.arrayContaining(["from", "to", "subject", "date", "message-id", "list-unsubscribe", "list-unsubscribe-post"]),
  );
});

test.each([
  ["an empty body", { text: "" }],
  ["UTF-8 throughout", { text: "你好\n€", subject: "你好 ".repeat(60), from: "Büro <a@acme.example>" }],
  ["an attachment", { attachments: [{ filename: "a.bin", content: Buffer.alloc(200_000, 7), content_type: null, content_id: null }] }],
  ["headers of the caller's", { headers: { "X-A": "1", "List-ID": "news <news.acme.example>", References: "<a@b> <c@d>" } }],
])("another verifier accepts the signature over %s", async (_what, parts) => {
  expect((await verdict((await made({ ...parts, dkim })).raw)).result).toBe("pass");
});

test.each([
  ["a changed body", (text: string) => text.replace("\r\n\r\nHi", "\r\n\r\nHo")],
  ["a second From before the first", (text: string) => text.replace("\r\nFrom:", "\r\nFrom: Eve <eve@example.com>\r\nFrom:")],
  ["another unsubscribe address", (text: string) => text.replace("mail.acme.example/u", "evil.example/u")],
  ["an added Cc", (text: string) => text.replace("\r\nSubject:", "\r\nCc: eve@example.com\r\nSubject:")],
  ["an added Reply-To", (text: string) => text.replace("\r\nSubject:", "\r\nReply-To: eve@example.com\r\nSubject:")],
  ["a second Content-Type", (text: string) => text.replace("\r\nSubject:", "\r\nContent-Type: text/html\r\nSubject:")],
  ["another way to unsubscribe by letter", (text: string) => text.replace("help@acme.example", "help@evil.example")],
])("the signature doesn't survive %s", async (_what, change) => {
  const { text } = await made({ dkim, unsubscribe, headers: { "List-Help": "<mailto:help@acme.example>" } });
  expect(change(text)).not.toBe(text);
  expect((await verdict(Buffer.from(change(text)))).result).not.toBe("pass");
});

test.each([
  ["an Ed25519 key", generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString()],
  ["a short key", generateKeyPairSync("rsa", { modulusLength: 512 }).privateKey.export({ type: "pkcs8", format: "pem" }).toString()],
  ["a public key", generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ type: "spki", format: "pem" }).toString()],
  ["a cut-off key", pem.slice(0, 500)],
  ["nothing", ""],
])("%s is refused when it is read", (_what, text) => {
  expect(() => readDkimKey(text)).toThrow(/DKIM key must/);
});

test("a key that can't sign stops the message instead of sending it unsigned", async () => {
  const key = generateKeyPairSync("ed25519").privateKey;
  await expect(signDkim(await composeEmail(plainMessage), { ...dkim, key }, new Date())).rejects.toThrow();
});
