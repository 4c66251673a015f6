import { expect, it } from "vitest";
import { channels } from "#app/channels.ts";
import { createEmailBatch, type EmailInput, findEmail } from "#email/index.ts";
import { createSuppression, findBatch, listChannels, listUsage, takeQuota } from "#messaging/index.ts";
import { insertUsage } from "#messaging/quota/sql.ts";
import { claimMany } from "#platform/idempotency/idempotency.ts";
import { AppError, type Claim, isHeldUp, type Tenant, updateLockWait } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { keyedRequests } from "#test/support/mail/keyed-requests.ts";
import { mailRoom, newEmail } from "#test/support/mail/mail.ts";
import { emailChannel } from "../channel/email-channel.ts";
import { createEmail } from "./create-email.ts";

const app = await testApp();
const { ctx, tenant, clock } = app;
const withKey = keyedRequests(app);
const freeQuota = emailChannel.quota.daily.free;
const shop = await tenant();
const live = await tenant({ livemode: true });

async function faultsOf(email: Partial<EmailInput>, of: Tenant = shop): Promise<string[]> {
  const error = await createEmail(ctx, of, { tier: "pro", email: newEmail(email) }).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error === null) return [];
  if (!(error instanceof AppError)) throw error;
  expect(error.status).toBe(400);
  expect(error.code).toBe(error.extras.details?.[0]?.code);
  return (error.extras.details ?? []).map(({ param, code }) => `${param} ${code}`);
}

type Row = [what: string, email: Partial<EmailInput>, faults: string[]];
const base64 = Buffer.from("hello").toString("base64");
const file = { filename: "a.txt", content: base64 };
const attaching = (change: Partial<NonNullable<EmailInput["attachments"]>[number]>) => ({ attachments: [{ ...file, ...change }] });
const notBase64 = (what: string, content: string): Row => [what, attaching({ content }), ["attachments[0].content attachment_invalid"]];
const notItsType = ["attachments[0].content_type attachment_invalid"];
const refused: Row[] = [
  ["a sender that is no address", { from: "me" }, ["from parameter_invalid"]],
  ["a sender with a line break", { from: "a@b.dev\r\nBcc: c@d.dev" }, ["from parameter_invalid"]],
  ["two senders", { from: "a@b.dev, c@d.dev" }, ["from parameter_invalid"]],
  ["no recipient", { to: [] }, ["to parameter_missing"]],
  ["a recipient without a domain", { to: "ada" }, ["to recipient_invalid"]],
  ["a recipient with a line break", { to: ["ok@a.dev", "a@b.dev\nCc: c@d.dev"] }, ["to[1] recipient_invalid"]],
  ["a recipient at an address in numbers", { to: "a@[127.0.0.1]" }, ["to recipient_invalid"]],
  ["double dots", { to: "a..b@c.dev" }, ["to recipient_invalid"]],
  ["a domain with a space", { to: "a@b c.dev" }, ["to recipient_invalid"]],
  ["a local part of 65 bytes", { to: `${"a".repeat(65)}@b.dev` }, ["to recipient_invalid"]],
  ["51 recipients", { to: Array.from({ length: 51 }, (_, index) => `r${index}@a.dev`) }, ["to recipient_invalid"]],
  ["51 recipients in three fields", { to: many(17, "a"), cc: many(17, "b"), bcc: many(17, "c") }, ["to recipient_invalid"]],
  ["an answer address that is none", { reply_to: ["a@b.dev", "nobody"] }, ["reply_to[1] parameter_invalid"]],
  ...[..."\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"].flatMap((sign): Row[] => {
    const name = `U+${sign.charCodeAt(0).toString(16)}`;
    return [
      [`${name} in a sender's name`, { from: `gnp${sign}.exe <a@b.dev>` }, ["from parameter_invalid"]],
      [
        `${name} in a quoted name`,
        { to: ["a@b.dev"], cc: [`"${sign}Bank" <c@b.dev>`], reply_to: `${sign}Bank <a@b.dev>` },
        ["cc[0] recipient_invalid", "reply_to parameter_invalid"],
      ],
      [`${name} in a file's name`, attaching({ filename: `invoice-${sign}fdp.exe` }), ["attachments[0].filename attachment_invalid"]],
    ];
  }),
  ...["support@bank.com", "Bank <support@bank.com>", "support＠bank.com", "=?utf-8?q?support=40bank.com?="].map(
    (name): Row => [
      `another's address in a name: ${name}`,
      { from: `"${name}" <a@b.dev>`, to: [`"${name}" <a@b.dev>`], cc: `"${name}" <c@b.dev>`, reply_to: `"${name}" <a@b.dev>` },
      ["from parameter_invalid", "to[0] recipient_invalid", "cc recipient_invalid", "reply_to parameter_invalid"],
    ],
  ),
  ["an empty subject", { subject: " " }, ["subject parameter_missing"]],
  ["a subject with a line break", { subject: "Hi\r\nBcc: c@d.dev" }, ["subject parameter_invalid"]],
  ["no text at all", { html: null, text: null }, ["html parameter_missing"]],
  ["a header of ours", { headers: { bcc: "a@b.dev" } }, ["headers.bcc header_not_allowed"]],
  ["a header of a family of ours", { headers: { "Content-Type": "text/x" } }, ["headers.Content-Type header_not_allowed"]],
  ["a signature", { headers: { "DKIM-Signature": "v=1" } }, ["headers.DKIM-Signature header_not_allowed"]],
  ["a header with a line break", { headers: { "X-Ok": "a\r\nBcc: b@c.dev" } }, ["headers.X-Ok header_not_allowed"]],
  ["a header name with a colon", { headers: { "X-A: b": "c" } }, ["headers.X-A: b header_not_allowed"]],
  ["the same header twice", { headers: { "X-A": "1", "x-a": "2" } }, ["headers.x-a header_not_allowed"]],
  notBase64("an attachment that is not base64", "%%%"),
  ...["aGVs-G8=", "aGVs_G8=", "aGVsbG8==", "aG=sbG8=", "\u0141AAA", "aGVs!G8=", "="].map((content) =>
    notBase64(`base64 such as ${content}`, content),
  ),
  ...["hello world plain", "aGVs bG8=", "aGVsbG8= aGVsbG8="].map((content) =>
    notBase64(`a sentence in place of base64: ${content}`, content),
  ),
  notBase64("half of a base64 group", "aGVsb"),
  ["a file name with a path", attaching({ filename: "../a" }), ["attachments[0].filename attachment_invalid"]],
  ["a media type that is none", attaching({ content_type: "text/html\r\nX: y" }), notItsType],
  ["a media type of several parts", attaching({ content_type: "Multipart/Mixed" }), notItsType],
  ["a media type with a line break in quotes", attaching({ content_type: 'text/plain; a="b\r\nX: y"' }), notItsType],
  ["a subject of one endless word", { subject: "x".repeat(901) }, ["subject parameter_invalid"]],
  ["a header of one endless word", { headers: { "X-A": `short ${"x".repeat(901)}` } }, ["headers.X-A header_not_allowed"]],
  ...(["List-Unsubscribe", "list-unsubscribe-post"] as const).flatMap((name): Row[] => [
    [
      `${name} where unsubscribe is true`,
      { unsubscribe: true, headers: { [name]: "<https://a.dev>" } },
      [`headers.${name} header_not_allowed`],
    ],
    [`${name} on marketing`, { category: "marketing", headers: { [name]: "<https://a.dev>" } }, [`headers.${name} header_not_allowed`]],
  ]),
  [
    "attachments above 25 MB",
    { attachments: [0, 1].map((n) => ({ filename: `${n}`, content: "A".repeat(18_000_000) })) },
    ["attachments attachment_invalid"],
  ],
  ["a tag with a space", { tags: [{ name: "a b", value: "c" }] }, ["tags[0].name parameter_invalid"]],
  ["a time gone by", { scheduled_at: "2026-11-20T07:59:59Z" }, ["scheduled_at parameter_invalid"]],
  ["a time in two months", { scheduled_at: new Date(clock.now().getTime() + 60 * 86_400_000) }, ["scheduled_at parameter_invalid"]],
  ["an expiry of a second", { expires_in: 1 }, ["expires_in parameter_invalid"]],
  ["an expiry of three days", { expires_in: 259_200 }, ["expires_in parameter_invalid"]],
  ["a callback to this machine", { status_callback: "https://127.0.0.1/x" }, ["status_callback url_not_allowed"]],
  [
    "everything at once, with all faults",
    { from: "me", to: "you", subject: "", headers: { To: "x" }, attachments: [{ filename: "", content: "!" }], expires_in: 1 },
    [
      "from parameter_invalid",
      "to recipient_invalid",
      "subject parameter_missing",
      "headers.To header_not_allowed",
      "attachments[0].filename attachment_invalid",
      "attachments[0].content attachment_invalid",
      "expires_in parameter_invalid",
    ],
  ],
];
const usedBefore = await usedToday(shop);
it.each(refused)("refuses %s", async (_name, email, faults) => {
  expect(await faultsOf(email)).toEqual(faults);
});

it("counts nothing that was refused", async () => {
  expect(await usedToday(shop)).toBe(usedBefore);
});

async function usedToday(own: Tenant): Promise<number | undefined> {
  return (await listUsage(ctx, own, { channel: emailChannel, tier: "free" })).days.at(-1)?.used;
}

function many(count: number, name: string): string[] {
  return Array.from({ length: count }, (_, index) => `${name}${index}@a.dev`);
}

it("accepts names, international addresses and fifty recipients", async () => {
  expect(await faultsOf({ from: '"Büro, Köln" <büro@köln.de>' })).toEqual([]);
  expect(await faultsOf({ to: "用户@例子.公司" })).toEqual([]);
  expect(await faultsOf({ to: many(25, "a"), cc: many(25, "b") })).toEqual([]);
  expect(await faultsOf({ attachments: [{ filename: "übersicht.pdf", content: "aGVsbG8", content_type: "application/pdf" }] })).toEqual([]);
  expect(await faultsOf({ subject: "你".repeat(332), headers: { "X-A": "你".repeat(600) } })).toEqual([]);
  for (const content of ["aGVs\r\nbG8=\r\n", " aGVs\n  bG8=\n"])
    expect(await faultsOf({ attachments: [{ filename: "a", content }] })).toEqual([]);
  const wanted = newEmail({ to: ["A@Köln.de", "a@köln.de", "b@x.dev"] });
  const { email, recipients } = await createEmail(ctx, shop, { tier: "pro", email: wanted });
  expect(email.addressees.to).toEqual(["A@Köln.de", "a@köln.de", "b@x.dev"]);
  expect(recipients.map((row) => row.address)).toEqual(["A@xn--kln-sna.de", "b@x.dev"]);
});

it("refuses impossible senders in LIVE, and a stranger's", async () => {
  for (const to of ["a@example.com", "a@mail.example.org", "a@shop.test", "a@x.invalid", "a@localhost"])
    expect(await faultsOf({ to }, live)).toEqual(["to recipient_invalid"]);
  expect(await faultsOf({ to: "a@examples.com" }, live)).toEqual([]);
  expect(await faultsOf({ from: "ceo@bank.dev" }, live)).toEqual(["from domain_not_verified"]);
  expect(await faultsOf({ from: "ceo@bank.dev", to: "a@example.com" })).toEqual([]);
  const own = createEmail(ctx, live, { tier: "pro", email: newEmail({ from: "no-reply@tillpost.example" }) });
  await expect(own).rejects.toMatchObject({
    code: "domain_not_verified",
    message: "no-reply@tillpost.example is reserved for system emails. Send from another address at tillpost.example.",
  });
});

it("answers a repeated request with the first one's message, and another body with a refusal", async () => {
  const own = await tenant();
  const email = newEmail({ attachments: [file] });
  const calls = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const keyed = withKey("once", email, own);
      const made = await createEmail(keyed, own, { tier: "pro", email });
      return { id: made.email.id, replayed: keyed.claim?.replayed };
    }),
  );
  expect(new Set(calls.map(({ id }) => id)).size).toBe(1);
  expect(calls.filter(({ replayed }) => replayed === false)).toHaveLength(1);
  expect(await usedToday(own)).toBe(1);
  const { body } = await findEmail(ctx, own, calls[0]?.id ?? "");
  expect((await ctx.files.get(body?.attachments[0]?.file ?? ""))?.toString()).toBe("hello");
  const other = newEmail({ subject: "Another" });
  const refusal = createEmail(withKey("once", other, own), own, { tier: "pro", email: other });
  await expect(refusal).rejects.toMatchObject({ code: "idempotency_key_reused" });
});

it("waits for another transaction's key only as long as it may, and then is refused because the key is in use", async () => {
  const own = await tenant();
  const rows = () => [{ claim: withKey("held", {}, own).claim as Claim, result: "{}" }];
  await ctx.transact(async (tx) => {
    await claimMany(tx, rows());
    const claiming = ctx.transact(async (other) => {
      await updateLockWait(other, 20);
      return claimMany(other, rows());
    });
    await expect(claiming).rejects.toMatchObject({ status: 409, code: "idempotency_key_in_use" });
  });
});

it("waits for another transaction's count of the day only as long as it may, and then is refused as unavailable", async () => {
  const own = await tenant();
  const uses = [{ tenant: own, tier: "pro" as const, units: 1 }];
  await ctx.transact(async (tx) => {
    await insertUsage(tx, own, { channel: "email", day: "2026-11-20", wanted: 1, limit: 10 });
    const counting = ctx.transact((other) => takeQuota(other, ctx, { channel: emailChannel, uses, now: clock.now(), timeoutMs: 2 }));
    await expect(counting).rejects.toSatisfy(isHeldUp);
  });
  const transactUnclaimed = () => Promise.reject(Object.assign(new Error("canceling statement due to lock timeout"), { code: "55P03" }));
  for (const text of ["Hi", "x".repeat(100_000)]) {
    const refused = createEmail({ ...ctx, transactUnclaimed }, own, { tier: "pro", email: newEmail({ text }) });
    await expect(refused).rejects.toMatchObject({ status: 503, code: "service_unavailable" });
  }
});

it("admits exactly the day's quota under concurrency, and resets it the next day", async () => {
  const own = await tenant();
  await ctx.transact((tx) => insertUsage(tx, own, { channel: "email", day: "2026-11-20", wanted: freeQuota - 50, limit: freeQuota }));
  const calls = await Promise.allSettled(Array.from({ length: 80 }, () => createEmail(ctx, own, { tier: "free", email: newEmail() })));
  const errors = calls.flatMap((call) => (call.status === "rejected" ? [call.reason as AppError] : []));
  expect(errors).toHaveLength(30);
  expect(new Set(errors.map(({ code, status }) => `${status} ${code}`))).toEqual(new Set(["429 quota_exceeded"]));
  expect(Number(errors[0]?.extras.headers?.["retry-after"])).toBe(16 * 3600);
  expect(await usedToday(own)).toBe(freeQuota);
  await createEmail(ctx, own, { tier: "system", email: newEmail() });
  const today = clock.now();
  clock.set("2026-11-21T00:00:00.000Z");
  await createEmail(ctx, own, { tier: "free", email: newEmail({ to: many(3, "x") }) });
  expect(await usedToday(own)).toBe(3);
  clock.set(today);
});

it("admits what the operator allows a tier, down to nothing, and doesn't change the others", async () => {
  const [own, limited] = [await tenant(), { ...ctx, channels: listChannels(channels, ["free.emails=3", "starter.emails=0"]) }];
  // Large ones: small ones share a transaction, and with it the settings of the member that began it.
  const text = "x".repeat(100_000);
  await createEmail(limited, own, { tier: "free", email: newEmail({ text, to: many(3, "q") }) });
  const create = (tier: "free" | "starter" | "pro") => createEmail(limited, own, { tier, email: newEmail({ text }) });
  for (const tier of ["free", "starter"] as const)
    await expect(create(tier)).rejects.toMatchObject({ status: 429, code: "quota_exceeded" });
  await create("pro");
  expect((await listUsage(limited, own, { channel: emailChannel, tier: "free" })).quota).toBe(3);
  expect((await listUsage(limited, own, { channel: emailChannel, tier: "pro" })).quota).toBe(1_000_000);
});

it("omits recipients who may not be written to, and suppresses a message without any other", async () => {
  const [own, room] = [await tenant(), mailRoom(ctx)];
  await createSuppression(ctx, own, { channel: emailChannel, address: "no@here.dev" });
  const some = await room.send(own, { to: ["No@here.dev", "yes@here.dev"] });
  const none = await room.send(own, { to: "NO@here.dev" });
  expect([some.email.status, none.email.status]).toEqual(["queued", "suppressed"]);
  await room.settle();
  expect(await room.eventsOf(own, some.email.id)).toEqual(["queued", "delivered"]);
  expect(await room.eventsOf(own, none.email.id)).toEqual(["queued", "suppressed"]);
});

it("refuses a strict batch completely, by item, and accepts the valid part of a permissive one", async () => {
  const own = await tenant();
  const items = [newEmail(), newEmail({ to: "nobody" }), newEmail({ subject: "" }), newEmail({ attachments: [file] })];
  await expect(createEmailBatch(ctx, own, { tier: "pro", items, strict: true })).rejects.toMatchObject({
    code: "recipient_invalid",
    extras: {
      details: [
        { index: 1, param: "to", code: "recipient_invalid" },
        { index: 2, param: "subject", code: "parameter_missing" },
      ],
    },
  });
  expect(await usedToday(own)).toBe(0);
  const made = await createEmailBatch(ctx, own, { tier: "pro", items, strict: false });
  expect(made).toMatchObject({ total: 4, accepted: 2, data: [{ index: 0 }, { index: 3 }], errors: [{ index: 1 }, { index: 2 }] });
  const found = await findBatch(ctx, own, made.id);
  expect(found).toMatchObject({ counts: { queued: 2 }, batch: { total: 4, accepted: 2 } });
  expect(found.data).toEqual(made.data);
  expect((await findEmail(ctx, own, made.data[1]?.id ?? "")).email.batch_id).toBe(made.id);
  const noneValid = createEmailBatch(ctx, own, { tier: "pro", items: [newEmail({ to: "x" })], strict: false });
  await expect(noneValid).rejects.toMatchObject({ code: "recipient_invalid" });
  for (const items of [[], Array.from({ length: 101 }, () => newEmail())])
    await expect(createEmailBatch(ctx, own, { tier: "pro", items, strict: true })).rejects.toMatchObject({ code: "batch_too_large" });
});

it("counts a batch completely against the quota or not at all", async () => {
  const own = await tenant();
  await ctx.transact((tx) => insertUsage(tx, own, { channel: "email", day: "2026-11-20", wanted: freeQuota - 2, limit: freeQuota }));
  const three = [newEmail(), newEmail(), newEmail({ attachments: [file] })];
  await expect(createEmailBatch(ctx, own, { tier: "free", items: three, strict: true })).rejects.toMatchObject({ code: "quota_exceeded" });
  expect(await usedToday(own)).toBe(freeQuota - 2);
  expect((await createEmailBatch(ctx, own, { tier: "free", items: three.slice(1), strict: true })).accepted).toBe(2);
});
