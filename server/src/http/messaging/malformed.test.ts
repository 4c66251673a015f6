import { describe, expect, test } from "vitest";
import { tierLimits } from "#test/routes/world.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { mailRoom } from "#test/support/mail/mail.ts";
import { type Refusal, refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000, tierLimits } });
const room = mailRoom(app.ctx);
const refusals = refusalsIn(app);
const email = { from: "orders@tillpost.example", to: "ada@corner-readers.com", subject: "Hello", text: "Hello" };
const readers = (count: number, from = 0) => Array.from({ length: count }, (_, n) => `reader${from + n}@corner-readers.com`);
const refusal = (name: string, change: object, [code, param]: [string, string?]): Refusal => ({
  name,
  body: { ...email, ...change },
  status: 400,
  code,
  ...(param === undefined ? {} : { param }),
});

/** Line ends in every spelling, and what some programs take for one. */
const breaks = ["\r\n", "\n", "\r", "\u2028", "\u0085", "\u000b"];
const injections = breaks.flatMap((end) => {
  const tail = `${end}Bcc: eve@evil.example`;
  const spelled = JSON.stringify(end);
  return [
    refusal(`a subject with ${spelled}`, { subject: `Hello${tail}` }, ["parameter_invalid", "subject"]),
    refusal(`a sender with ${spelled}`, { from: `Shop${tail} <orders@tillpost.example>` }, ["parameter_invalid", "from"]),
    refusal(`a recipient with ${spelled}`, { to: `ada@corner-readers.com${tail}` }, ["recipient_invalid", "to"]),
    refusal(`a header with ${spelled}`, { headers: { "X-Order": `1${tail}` } }, ["header_not_allowed", "headers.X-Order"]),
    refusal(`a file name with ${spelled}`, { attachments: [{ filename: `a${tail}.txt`, content: "YQ==" }] }, [
      "attachment_invalid",
      "attachments[0].filename",
    ]),
    refusal(`a media type with ${spelled}`, { attachments: [{ filename: "a", content: "YQ==", content_type: `text/plain${tail}` }] }, [
      "attachment_invalid",
    ]),
    refusal(`a content id with ${spelled}`, { attachments: [{ filename: "a", content: "YQ==", content_id: `a${tail}` }] }, [
      "attachment_invalid",
    ]),
    refusal(`an answer address with ${spelled}`, { reply_to: [`help@tillpost.example${tail}`] }, ["parameter_invalid", "reply_to[0]"]),
  ];
});

const ownHeaders = [
  "From",
  "to",
  "CC",
  "Bcc",
  "Subject",
  "Date",
  "Message-ID",
  "DKIM-Signature",
  "Return-Path",
  "Received",
  "Sender",
  "Reply-To",
];
const forbidden = [
  ...ownHeaders,
  "Content-Type",
  "content-transfer-encoding",
  "MIME-Version",
  "Resent-To",
  "ARC-Seal",
  "X-Tillpost-Id",
].map((name) => refusal(`the header ${name}`, { headers: { [name]: "x" } }, ["header_not_allowed", `headers.${name}`]));
const noNames = ["", "X Order", "X:Order", "X-Örder", "X\nOrder", "a".repeat(77)].map((name) =>
  refusal(`the header name ${JSON.stringify(name.slice(0, 12))}`, { headers: { [name]: "x" } }, ["header_not_allowed"]),
);

const noAddresses = [
  "",
  " ",
  "ada",
  "@corner-readers.com",
  "ada@",
  "ada@corner",
  "ada@@corner-readers.com",
  "ada@corner-readers.com, bob@corner-readers.com",
  "ada@corner-readers.com;bob@corner-readers.com",
  "Ada <ada@corner-readers.com",
  "<ada@corner-readers.com> Ada",
  "a da@corner-readers.com",
  ".ada@corner-readers.com",
  "ada.@corner-readers.com",
  "a..da@corner-readers.com",
  "ada@corner-readers..com",
  "ada@-corner.com",
  "ada@corner_readers.com",
  "ada@[192.0.2.1]",
  "ada@192.0.2.1",
  "ada@xn--.com",
  "ada@corner-readers.com\t",
  `${"a".repeat(65)}@corner-readers.com`,
  `${"é".repeat(33)}@corner-readers.com`,
  `ada@${"a".repeat(64)}.com`,
  `ada@${"a.".repeat(126)}com`,
  "ada\u200b@corner-readers.com",
  "ada@corner\u202e-readers.com",
  "file:///etc/passwd",
  "mailto:ada@corner-readers.com?bcc=x",
].map((to) => refusal(`the address ${JSON.stringify(to.slice(0, 40))}`, { to }, ["recipient_invalid", "to"]));

refusals("POST /v1/emails", () => ({ body: email }), [
  ...injections,
  ...forbidden,
  ...noNames,
  ...noAddresses,
  refusal("51 recipients", { to: readers(51) }, ["recipient_invalid", "to"]),
  refusal("51 recipients in all three places", { to: readers(17), cc: readers(17, 17), bcc: readers(17, 34) }, ["recipient_invalid", "to"]),
  refusal("5 000 recipients", { to: readers(5_000) }, ["parameter_invalid", "to"]),
  refusal("one bad address among good ones", { cc: ["bob@corner-readers.com", "nobody"] }, ["recipient_invalid", "cc[1]"]),
  refusal("a list in a list", { to: [["ada@corner-readers.com"]] }, ["parameter_invalid", "to[0]"]),
  refusal("content that is no base64", { attachments: [{ filename: "a", content: "§§§§" }] }, [
    "attachment_invalid",
    "attachments[0].content",
  ]),
  refusal("base64 that is cut off", { attachments: [{ filename: "a", content: "YWJjZ" }] }, [
    "attachment_invalid",
    "attachments[0].content",
  ]),
  refusal("an empty attachment", { attachments: [{ filename: "a", content: "" }] }, ["attachment_invalid", "attachments[0].content"]),
  refusal("a path as file name", { attachments: [{ filename: "../../a", content: "YQ==" }] }, [
    "attachment_invalid",
    "attachments[0].filename",
  ]),
  refusal("a file to be fetched", { attachments: [{ filename: "a", path: "https://files.example.com/a" }] }, [
    "parameter_missing",
    "attachments[0].content",
  ]),
  refusal("51 attachments", { attachments: readers(51).map((filename) => ({ filename, content: "YQ==" })) }, [
    "attachment_invalid",
    "attachments",
  ]),
  refusal("a subject of 999 characters", { subject: "x".repeat(999) }, ["parameter_invalid", "subject"]),
  refusal("a subject of 998 characters that are more bytes", { subject: "é".repeat(998) }, ["parameter_invalid", "subject"]),
  refusal("HTML of more than two million characters", { html: "x".repeat(2_000_001) }, ["parameter_invalid", "html"]),
  refusal("an end before it began", { expires_in: 59 }, ["parameter_invalid", "expires_in"]),
  refusal("a time that is none", { scheduled_at: "in 1 min" }, ["parameter_invalid", "scheduled_at"]),
  refusal("a time in the past", { scheduled_at: "2026-11-20T07:59:59Z" }, ["parameter_invalid", "scheduled_at"]),
  refusal("a callback to the server itself", { status_callback: "https://127.0.0.1/hook" }, ["url_not_allowed", "status_callback"]),
  refusal("a tag with a space", { tags: [{ name: "a b", value: "c" }] }, ["parameter_invalid", "tags[0].name"]),
]);

describe("what is unusual but valid is sent as intended", () => {
  const accepted = async (change: object) => {
    const shop = await app.tenant();
    const answer = await app.api(shop.key).post("/v1/emails", { ...email, ...change });
    expect(answer.status, answer.text.slice(0, 500)).toBe(201);
    const source = await app.api(shop.key).get(`/v1/emails/${answer.body.id}/source`);
    expect(source.status, source.text.slice(0, 300)).toBe(200);
    return { shop, body: answer.body, source: source.text };
  };

  test("50 recipients, each with their own copy, the hidden ones hidden", async () => {
    const { shop, body, source } = await accepted({ to: readers(20), cc: readers(20, 20), bcc: readers(10, 40) });
    expect(body.recipients.length).toBe(50);
    expect(source).toContain("reader39@");
    expect(source).not.toMatch(/reader4\d@|^bcc:/im);
    await room.settle();
    const after = (await app.api(shop.key).get(`/v1/emails/${body.id}`)).body;
    expect(after.recipients.every(({ status }: { status: string }) => status === "delivered")).toBe(true);
  });

  test("international domains are sent in ASCII and returned as they were written", async () => {
    const { body, source } = await accepted({
      from: "Müller <post@tillpost.example>",
      to: "Jürgen <jürgen@bücher.com>",
      cc: "用户@例子.广告",
    });
    expect(body.to).toBe("Jürgen <jürgen@bücher.com>");
    expect(body.recipients.map(({ address }: { address: string }) => address)).toEqual([
      "jürgen@xn--bcher-kva.com",
      "用户@xn--fsqu00a.xn--4rr70v",
    ]);
    expect(source.split("\r\n\r\n")[0]).toMatch(/^From: =\?UTF-8\?/im);
  });

  test("a name with commas and quotes remains one recipient", async () => {
    const { body } = await accepted({ to: '"Books, \\"and\\" More" <ada@corner-readers.com>' });
    expect(body.recipients.length).toBe(1);
    expect(body.recipients[0].address).toBe("ada@corner-readers.com");
  });

  test("an address that is listed twice gets one copy", async () => {
    const { body } = await accepted({ to: ["ada@corner-readers.com", "Ada@Corner-Readers.com"], cc: "ada@corner-readers.com" });
    expect(body.recipients.length).toBe(1);
  });

  test("a body full of dots, From-lines and long lines is preserved", async () => {
    const text = `.\r\n..\r\nFrom here\r\n${"x".repeat(5_000)}\r\n.\r\n`;
    const { body, shop } = await accepted({ text });
    expect((await app.api(shop.key).get(`/v1/emails/${body.id}`)).body.text).toBe(text);
  });

  test("all faults of a request are reported together", async () => {
    const shop = await app.tenant();
    const { body } = await app.api(shop.key).post("/v1/emails", { from: "nobody", to: ["a", "b"], subject: "", headers: { Bcc: "x" } });
    expect(body.error.details.map(({ param }: { param: string }) => param)).toEqual([
      "from",
      "to[0]",
      "to[1]",
      "subject",
      "html",
      "headers.Bcc",
    ]);
  });

  test("whether they are of shape or of meaning, in one message and in a batch", async () => {
    const api = app.api((await app.tenant()).key);
    const detailsOf = ({ body }: { body: { error: { details: { param: string; code: string }[] } } }) =>
      body.error.details.map(({ param, code }) => `${param} ${code}`);
    const wrong = { from: "nobody", to: 5, subject: " ", html: true, colour: 1, tags: [{ name: "a b", value: "c" }], reply_to: "b" };
    const all = ["colour parameter_unknown", "to parameter_invalid", "html parameter_invalid"];
    const meant = ["from parameter_invalid", "reply_to parameter_invalid", "subject parameter_missing", "tags[0].name parameter_invalid"];
    const [one, many] = [await api.post("/v1/emails", wrong), await api.post("/v1/emails/batch", [email, wrong])];
    expect(detailsOf(one).sort()).toEqual([...all, ...meant].sort());
    expect(detailsOf(many)).toEqual(detailsOf(one));
    expect(one.body.error).toMatchObject({ code: "parameter_unknown", param: "colour" });
    expect(detailsOf(await api.post("/v1/emails", { to: "nobody", text: "x" }))).toEqual([
      "from parameter_missing",
      "subject parameter_missing",
      "to recipient_invalid",
    ]);
    expect(detailsOf(await api.post("/v1/emails", { ...email, text: undefined, colour: 1 }))).toEqual([
      "colour parameter_unknown",
      "html parameter_missing",
    ]);
    const { body } = await api.post("/v1/emails", { ...email, scheduled_at: "in 1 min" });
    expect(body.error.message).toBe("scheduled_at must be an ISO 8601 time with a time zone, such as 2026-12-01T09:00:00Z.");
    for (const body of [[], [email]]) expect((await api.post("/v1/emails", body)).status).toBe(400);
    const endless = { ...email, from: 5, tags: Array.from({ length: 200 }, () => ({ name: 1, value: 2 })), to: "nobody" };
    expect(detailsOf(await api.post("/v1/emails", endless)).length).toBe(100);
    expect((await api.get("/v1/emails")).body.data).toEqual([]);
  });
});
