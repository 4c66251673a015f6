import { expect, test } from "vitest";
import { setMerchantSending } from "#identity/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { mailRoom } from "#test/support/mail/mail.ts";
import { type Good, refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const refusals = refusalsIn(app);
const email = { from: "Corner Books <orders@tillpost.example>", to: "ada@corner-readers.com", subject: "Hello", html: "<p>Hello</p>" };
const good: Good = () => ({ body: email });

async function sent(shop: TestTenant, change: object = {}): Promise<{ id: string; [field: string]: unknown }> {
  const { status, body, text } = await app.api(shop.key).post("/v1/emails", { ...email, ...change });
  if (status !== 201) throw new Error(text);
  return body;
}
const existing: Good = async (shop) => ({ params: { id: (await sent(shop, { scheduled_at: "2026-11-21T08:00:00Z" })).id } });

refusals("POST /v1/emails", good, [
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
  { name: "nothing at all", body: {}, status: 400, code: "parameter_missing" },
  { name: "no body", body: { ...email, html: undefined }, status: 400, code: "parameter_missing", param: "html" },
  { name: "an empty subject", body: { ...email, subject: " " }, status: 400, code: "parameter_missing", param: "subject" },
  { name: "no recipients", body: { ...email, to: [] }, status: 400, code: "parameter_missing", param: "to" },
  { name: "a number as recipient", body: { ...email, to: 5 }, status: 400, code: "parameter_invalid", param: "to" },
]);
refusals("GET /v1/emails", () => ({}), [
  { name: "a cursor that names nothing", query: "after=em_x", status: 400, code: "invalid_cursor", param: "starting_after" },
  { name: "both cursors", query: "after=a&before=b", status: 400, code: "parameter_conflict", param: "ending_before" },
  { name: "an unknown state", query: "status=opened", status: 400, code: "parameter_invalid", param: "status" },
  { name: "a tag without a value", query: "tag=campaign", status: 400, code: "parameter_invalid", param: "tag" },
]);
refusals("GET /v1/emails/:id", existing);
refusals("GET /v1/emails/:id/source", existing);
refusals("GET /v1/emails/:id/events", existing, [
  { name: "a cursor that names nothing", query: "starting_after=evt_x", status: 400, code: "invalid_cursor" },
]);
refusals("GET /v1/emails/:id/attempts", existing, [
  { name: "a cursor that names nothing", query: "starting_after=dlv_x.1", status: 400, code: "invalid_cursor" },
  { name: "both cursors", query: "after=a&before=b", status: 400, code: "parameter_conflict" },
]);
refusals("POST /v1/emails/:id/cancel", existing, [
  {
    name: "a message that is canceled already",
    given: async (shop, { params }) => {
      await app.api(shop.key).post(`/v1/emails/${params?.id}/cancel`);
      return undefined;
    },
    status: 409,
    code: "email_state_conflict",
  },
]);
refusals("PATCH /v1/emails/:id", async (shop) => ({ ...(await existing(shop)), body: { scheduled_at: "2026-11-22T08:00:00Z" } }), [
  { name: "no time", body: {}, status: 400, code: "parameter_missing", param: "scheduled_at" },
  {
    name: "a time in the past",
    body: { scheduled_at: "2026-11-01T08:00:00Z" },
    status: 400,
    code: "parameter_invalid",
    param: "scheduled_at",
  },
  {
    name: "a time in 31 days",
    body: { scheduled_at: "2026-12-22T08:00:00Z" },
    status: 400,
    code: "parameter_invalid",
    param: "scheduled_at",
  },
  { name: "an old version", headers: { "if-match": "99" }, status: 409, code: "version_conflict" },
]);

test("a message is accepted, returned as it was sent, and found with its body", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const made = await api.post("/v1/emails", {
    ...email,
    tags: [{ name: "campaign", value: "welcome" }],
    metadata: { order: "7" },
    cc: "Bob <bob@example.com>",
  });
  expect(made.status, made.text).toBe(201);
  expect(made.body).toMatchObject({
    object: "email",
    status: "queued",
    from: email.from,
    to: email.to,
    subject: "Hello",
    html: null,
    text: null,
  });
  expect(made.body).toMatchObject({
    cc: ["Bob <bob@example.com>"],
    bcc: [],
    livemode: false,
    project_id: shop.project_id,
    body_expired: false,
  });
  expect(made.body.created_at).toMatch(/^2026-11-20T08:00:00\.\d{3}Z$/);
  expect(made.body.recipients.map(({ address, type, status }: Record<string, string>) => [address, type, status])).toEqual([
    ["ada@corner-readers.com", "to", "queued"],
    ["bob@example.com", "cc", "queued"],
  ]);
  const found = await api.get(`/v1/emails/${made.body.id}`);
  expect(found.body).toEqual({ ...made.body, html: email.html, headers: {}, attachments: [] });
  const search = async (query: string) => (await api.get(`/v1/emails?${query}`)).body;
  const everyFilter = "tag=campaign:welcome&to=BOB@example.com&from=orders@tillpost.example&status=queued";
  const page = { object: "list", url: "/v1/emails", has_more: false, next_cursor: null, total_count: 1 };
  expect(await search(`${everyFilter}&include=total_count`)).toEqual({ ...page, data: [made.body] });
  expect((await search("tag=campaign:other")).data).toEqual([]);
  for (const q of ["BOB@ex", "ada@corner-readers.com", made.body.id]) expect((await search(`q=${q}`)).data, q).toEqual([made.body]);
  expect((await search("q=example.com")).data).toEqual([]);
  expect((await app.api((await app.tenant()).key).get(`/v1/emails?q=${made.body.id}`)).body.data).toEqual([]);
  const list = await sent(shop, { to: ["a@example.com", "b@example.com"] });
  expect(list.to).toEqual(["a@example.com", "b@example.com"]);
  expect((await sent(shop, { to: ["a@example.com"] })).to).toEqual(["a@example.com"]);
  expect((await api.get(`/v1/emails?after=${list.id}`)).body.data).toEqual([made.body]);
});

test("a repeated request returns the same message", async () => {
  const shop = await app.tenant();
  const headers = { "idempotency-key": "mail-1" };
  const [first, again] = [
    await app.api(shop.key).post("/v1/emails", email, { headers }),
    await app.api(shop.key).post("/v1/emails", email, { headers }),
  ];
  expect(again.status).toBe(201);
  expect(again.headers["idempotent-replayed"]).toBe("true");
  expect(again.body).toEqual(first.body);
  expect((await app.api(shop.key).post("/v1/emails", { ...email, subject: "Other" }, { headers })).body.error.code).toBe(
    "idempotency_key_reused",
  );
  expect((await app.api(shop.key).get("/v1/emails?include=total_count")).body.total_count).toBe(1);
});

test("a scheduled message is postponed and canceled", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const { id, status } = await sent(shop, { scheduled_at: "2026-11-21T08:00:00Z" });
  expect(status).toBe("scheduled");
  const moved = await api.call("PATCH", `/v1/emails/${id}`, { body: { scheduled_at: "2026-11-22T09:00:00+01:00" } });
  expect(moved.status, moved.text).toBe(200);
  expect(moved.body).toMatchObject({ id, object: "email", status: "scheduled", scheduled_at: "2026-11-22T08:00:00.000Z", version: 2 });
  const canceled = await api.post(`/v1/emails/${id}/cancel`);
  expect(canceled.body).toMatchObject({ id, object: "email", status: "canceled" });
  const events = await api.get(`/v1/emails/${id}/events`);
  expect(events.body.data.map(({ event }: { event: string }) => event)).toEqual(["email.canceled", "email.scheduled"]);
  expect(events.body.data[0].data).toMatchObject({
    previous_status: "scheduled",
    project_id: shop.project_id,
    email: { id, status: "canceled" },
  });
});

test("a message's source is a complete signed or unsigned message", async () => {
  const shop = await app.tenant();
  const { id, message_id } = await sent(shop, { attachments: [{ filename: "a.txt", content: "aGVsbG8=" }] });
  const source = await app.api(shop.key).get(`/v1/emails/${id}/source`);
  expect(source.status, source.text).toBe(200);
  expect(source.headers["content-type"]).toBe("message/rfc822");
  expect(source.headers["content-disposition"]).toBe(`attachment; filename="${id}.eml"`);
  expect(source.text).toContain(`Message-ID: ${message_id}`);
  expect(source.text).toMatch(/^Subject: Hello\r$/m);
  expect(source.text).toContain("aGVsbG8=");
});

test("each attempt of each recipient's copy can be read, newest first, by recipient and in pages", async () => {
  const shop = await app.tenant();
  const room = mailRoom(app.ctx);
  const { id } = await sent(shop, { to: ["delayed@simulator.tillpost.test", "bounced@simulator.tillpost.test"] });
  for (let round = 0; round < 5; round += 1) {
    await room.settle();
    app.clock.advance(2_000);
  }
  const read = async (query = "") => (await app.api(shop.key).get(`/v1/emails/${id}/attempts${query}`)).body;
  const all = await read();
  expect(all).toMatchObject({ object: "list", url: `/v1/emails/${id}/attempts`, has_more: false });
  const lineOf = ({ recipient, attempt, result, smtp_code }: Record<string, unknown>) =>
    `${String(recipient).split("@")[0]} ${attempt} ${result} ${smtp_code}`;
  expect(all.data.map(lineOf)).toEqual([
    "delayed 4 accepted 250",
    "delayed 3 deferred 451",
    "delayed 2 deferred 451",
    "bounced 1 refused 550",
    "delayed 1 deferred 451",
  ]);
  expect(all.data[0]).toMatchObject({
    object: "email_attempt",
    email_id: id,
    provider: "simulator",
    diagnostic: "250 2.0.0 Ok (simulated)",
    finished_at: expect.any(String),
  });
  expect((await read("?recipient=Bounced@simulator.tillpost.test")).data.map(lineOf)).toEqual(["bounced 1 refused 550"]);
  expect((await read("?recipient=nobody@simulator.tillpost.test")).data).toEqual([]);
  const first = await read("?limit=2");
  expect([first.has_more, first.next_cursor]).toEqual([true, all.data[1].id]);
  expect((await read(`?limit=2&after=${first.next_cursor}`)).data).toEqual(all.data.slice(2, 4));
  expect((await app.api((await app.tenant()).key).get(`/v1/emails/${id}/attempts`)).status).toBe(404);
  const counted = (await app.api(shop.key).get(`/v1/emails/${id}`)).body.recipients;
  expect(counted.map(({ attempts }: { attempts: number }) => attempts)).toEqual([4, 1]);
});
