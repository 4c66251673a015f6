import { expect, test } from "vitest";
import { setMerchantSending } from "#identity/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { type Good, refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000, tierLimits: ["free.email_batches=100000"] } });
const refusals = refusalsIn(app);
const email = { from: "orders@tillpost.example", to: "ada@corner-readers.com", subject: "Hello", text: "Hello" };
const many = (count: number) => Array.from({ length: count }, (_, n) => ({ ...email, to: `reader${n}@corner-readers.com` }));
const good: Good = () => ({ body: { emails: [email] } });

refusals("POST /v1/emails/batch", good, [
  {
    name: "LIVE mail of a merchant whose sending is suspended",
    tenant: { livemode: true },
    given: async ({ merchant_id }) => {
      await setMerchantSending(app.ctx, { merchant_id, reason: "Complaints" });
      return undefined;
    },
    status: 403,
    code: "sending_suspended",
  },
  { name: "an empty list", body: [], status: 400, code: "parameter_invalid", param: "body" },
  { name: "101 messages", body: many(101), status: 400, code: "batch_too_large", param: "body" },
  { name: "101 messages under a name", body: { emails: many(101) }, status: 400, code: "batch_too_large", param: "emails" },
  { name: "101 messages under the other name", body: { messages: many(101) }, status: 400, code: "batch_too_large", param: "messages" },
  { name: "both names at once", body: { emails: [email], messages: [email] }, status: 400, code: "parameter_conflict", param: "messages" },
  { name: "no list", body: {}, status: 400, code: "parameter_missing", param: "emails" },
  { name: "a list that is none", body: { emails: "x" }, status: 400, code: "parameter_invalid", param: "emails" },
  {
    name: "unknown defaults",
    body: { defaults: { colour: 1 }, emails: [email] },
    status: 400,
    code: "parameter_unknown",
    param: "defaults.colour",
  },
  { name: "a text in place of a message", body: [email, "x"], status: 400, code: "parameter_invalid" },
  {
    name: "one message without a subject",
    body: [email, { ...email, subject: undefined }],
    status: 400,
    code: "parameter_missing",
    param: "subject",
  },
  {
    name: "one message with an unknown field",
    body: [email, { ...email, colour: 1 }],
    status: 400,
    code: "parameter_unknown",
    param: "colour",
  },
  { name: "one message to nobody", body: [email, { ...email, to: "nobody" }], status: 400, code: "recipient_invalid", param: "to" },
  {
    name: "only faulty messages, though permissive",
    body: [{ ...email, to: "nobody" }],
    headers: { "x-batch-validation": "permissive" },
    status: 400,
    code: "recipient_invalid",
  },
  {
    name: "an unknown validation",
    headers: { "x-batch-validation": "lenient" },
    status: 400,
    code: "parameter_invalid",
    param: "x-batch-validation",
  },
]);
refusals("GET /v1/batches", () => ({}), [
  { name: "a cursor that names nothing", query: "starting_after=bat_x", status: 400, code: "invalid_cursor", param: "starting_after" },
  { name: "both cursors", query: "after=a&before=b", status: 400, code: "parameter_conflict", param: "ending_before" },
]);
refusals("GET /v1/batches/:id", async (shop) => ({ params: { id: (await app.api(shop.key).post("/v1/emails/batch", [email])).body.id } }));

test("a strict batch reports every fault with the index of its message, both of shape and of meaning", async () => {
  const api = app.api((await app.tenant()).key);
  const answer = await api.post("/v1/emails/batch", [
    email,
    { ...email, colour: 1, to: 5 },
    { ...email, to: "nobody", headers: { "X-A": "a\r\nBcc: x@y.zz" } },
  ]);
  expect(answer.status).toBe(400);
  expect(answer.body.error.details.map(({ index, param, code }: Record<string, unknown>) => [index, param, code])).toEqual([
    [1, "colour", "parameter_unknown"],
    [1, "to", "parameter_invalid"],
    [2, "to", "recipient_invalid"],
    [2, "headers.X-A", "header_not_allowed"],
  ]);
  expect((await api.get("/v1/emails")).body.data).toEqual([]);
});

test("a batch may call its messages emails or messages, also with defaults and large attachments", async () => {
  const api = app.api((await app.tenant()).key);
  const { to: _to, ...defaults } = email;
  const attachments = [{ filename: "a.txt", content: Buffer.alloc(2_000_000, "a").toString("base64") }];
  for (const name of ["emails", "messages"]) {
    const made = await api.post("/v1/emails/batch", { defaults, [name]: many(2).map(({ to }) => ({ to, attachments })) });
    expect(made, made.text.slice(0, 500)).toMatchObject({ status: 201, body: { total: 2, accepted: 2 } });
    const shown = await api.get(`/v1/emails/${made.body.data[1].id}`);
    expect(shown.body).toMatchObject({ to: "reader1@corner-readers.com", attachments: [{ filename: "a.txt", size_bytes: 2_000_000 }] });
  }
});

test("a batch of a hundred is accepted completely, in the order of the request", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const made = await api.post("/v1/emails/batch", many(100));
  expect(made.status, made.text.slice(0, 500)).toBe(201);
  expect(made.body).toMatchObject({
    object: "batch",
    channel: "email",
    total: 100,
    accepted: 100,
    errors: [],
    statuses: { queued: 100 },
    livemode: false,
  });
  expect(made.body.data.map(({ index }: { index: number }) => index)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  const listed = await api.get(`/v1/emails?batch_id=${made.body.id}&limit=100`);
  expect(listed.body.data.length).toBe(100);
  expect(listed.body.data.find(({ id }: { id: string }) => id === made.body.data[7].id).to).toBe("reader7@corner-readers.com");
  const { data: _data, ...rest } = made.body;
  expect((await api.get(`/v1/batches/${made.body.id}`)).body).toEqual(rest);
});

test("a permissive batch accepts what is valid and says why the rest isn't; defaults fill in what is missing", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const { to, ...defaults } = email;
  const body = {
    defaults: { ...defaults, tags: [{ name: "kind", value: "news" }] },
    emails: [{ to }, { to: "nobody" }, { to, subject: "Mine" }, { to, colour: 1 }],
  };
  const made = await api.post("/v1/emails/batch", body, { headers: { "x-batch-validation": "permissive", "idempotency-key": "b1" } });
  expect(made.status, made.text).toBe(201);
  expect(made.body).toMatchObject({ total: 4, accepted: 2, statuses: { queued: 2 } });
  expect(made.body.data.map(({ index }: { index: number }) => index)).toEqual([0, 2]);
  expect(made.body.errors).toMatchObject([
    { index: 1, param: "to", code: "recipient_invalid" },
    { index: 3, param: "colour", code: "parameter_unknown" },
  ]);
  const listed = (await api.get("/v1/emails?tag=kind:news")).body.data;
  expect(listed.map(({ subject }: { subject: string }) => subject)).toEqual(["Mine", "Hello"]);
  const again = await api.post("/v1/emails/batch", body, { headers: { "x-batch-validation": "permissive", "idempotency-key": "b1" } });
  expect(again.headers["idempotent-replayed"]).toBe("true");
  expect(again.body).toEqual(made.body);
  expect((await api.get(`/v1/batches/${made.body.id}`)).body.errors).toEqual(made.body.errors);
});

test("a batch accepts attachments and times like a single message", async () => {
  const api = app.api((await app.tenant()).key);
  const made = await api.post("/v1/emails/batch", [
    {
      ...email,
      attachments: [{ filename: "a.txt", content: "aGVsbG8=" }],
      scheduled_at: "2026-11-21T00:00:00Z",
      headers: { "X-Order": "1" },
    },
  ]);
  expect(made.body.data[0].status).toBe("scheduled");
  const found = await api.get(`/v1/emails/${made.body.data[0].id}`);
  expect(found.body).toMatchObject({
    attachments: [{ filename: "a.txt", size_bytes: 5 }],
    scheduled_at: "2026-11-21T00:00:00.000Z",
    headers: { "X-Order": "1" },
  });
});

test("batches are listed newest first, page by page, with the outcome of their messages", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const ids: string[] = [];
  for (const count of [1, 2, 3]) ids.unshift((await api.post("/v1/emails/batch", many(count))).body.id);
  const first = (await api.get("/v1/batches?limit=2")).body;
  expect(first).toMatchObject({ url: "/v1/batches", has_more: true, next_cursor: ids[1] });
  expect(first.data).toMatchObject([
    { id: ids[0], total: 3, accepted: 3, statuses: { queued: 3 } },
    { id: ids[1], total: 2, accepted: 2 },
  ]);
  expect(first.data[0]).toEqual((await api.get(`/v1/batches/${ids[0]}`)).body);
  const rest = (await api.get(`/v1/batches?starting_after=${first.next_cursor}`)).body;
  expect(rest.data.map(({ id }: { id: string }) => id)).toEqual([ids[2]]);
  expect((await api.get(`/v1/batches?before=${ids[1]}`)).body.data.map(({ id }: { id: string }) => id)).toEqual([ids[0]]);
  expect((await api.get(`/v1/batches?created[gt]=${app.ctx.now().toISOString()}`)).body.data).toEqual([]);
});
