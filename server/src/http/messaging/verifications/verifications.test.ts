import { describe, expect, test } from "vitest";
import { emailChannel } from "#email/index.ts";
import { changeMerchant, setMerchantSending } from "#identity/index.ts";
import { createSuppression } from "#messaging/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { testCode } from "#test/support/messages/verifications.ts";
import { type Good, type Refusal, refusalsIn } from "#test/support/refusals/refusals.ts";
import { startVerification } from "#verifications/index.ts";

const tierLimits = ["free.verifications=100000", "free.general=100000", "free.reads=100000"];
const app = await testApp({
  http: { perMinuteUnauthenticated: 1_000, tierLimits },
  sms: {
    routes: [{ name: "carrier", takes: ({ country }) => country !== "CA" }],
    senders: {
      mayUse: async (_db, _tenant, { sender }) => sender.value === "+14155552670",
      findUsual: async () => null,
      findOwner: async () => null,
    },
  },
  calls: { hasRoute: () => true },
});
const refusals = refusalsIn(app);
const input = { to: "+15005551000", channels: ["sms"] };
const mailed = { to: "ada@corner-readers.com", channels: ["email"] };
const liveInput = { to: "+14155552671", from: "+14155552670", channels: ["sms"] };
const good: Good = ({ livemode }) => ({ body: livemode ? mailed : input });

async function begin(shop: TestTenant, body: object = shop.livemode ? mailed : input): Promise<{ id: string; [field: string]: unknown }> {
  const answer = await app.api(shop.key).post("/v1/verifications", body);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
}
/** Also of a merchant who may not begin one. */
const idOf = async (shop: TestTenant) => {
  const verification = shop.livemode ? { ...mailed, channels: ["email" as const] } : { ...input, channels: ["sms" as const] };
  return (await startVerification(app.ctx, shop, { tier: "free", verification })).id;
};
const existing: Good = async (shop) => ({ params: { id: await idOf(shop) }, body: {} });
const checkable: Good = async (shop) => ({ params: { id: await idOf(shop) }, body: { code: "000000" } });
const inOwnCountry =
  (country: string) =>
  async ({ merchant_id }: TestTenant) => {
    await changeMerchant(app.ctx, { merchant_id, if_version: null, country });
    return undefined;
  };
const live = { tenant: { livemode: true }, given: inOwnCountry("US") };
const inCanada = { tenant: { livemode: true }, given: inOwnCountry("CA") };
const canceled: Refusal["given"] = async (shop, { params }) => {
  await app.api(shop.key).post(`/v1/verifications/${params?.id}/cancel`);
  return undefined;
};

const invalid = { status: 400, code: "parameter_invalid" };
const badRecipient = { status: 400, code: "recipient_invalid", param: "to" };
const optedOut = { status: 400, code: "recipient_opted_out", param: "to" };
const notFound = { status: 404, code: "resource_missing", param: "to" };
const suspended: Refusal = {
  name: "a merchant whose sending is suspended",
  tenant: { livemode: true },
  given: async ({ merchant_id }) => {
    await setMerchantSending(app.ctx, { merchant_id, reason: "Complaints" });
    return undefined;
  },
  status: 403,
  code: "sending_suspended",
};

refusals("POST /v1/verifications", good, [
  { name: "nothing at all", body: {}, status: 400, code: "parameter_missing" },
  { name: "a recipient that is none", body: { ...input, to: "Ada" }, ...badRecipient },
  { name: "an address with a name", body: { ...mailed, to: "Ada <ada@corner-readers.com>" }, ...badRecipient },
  { name: "an emergency number", body: { ...input, to: "112" }, ...badRecipient },
  { name: "a number that costs extra", body: { ...input, to: "+19005551234" }, ...badRecipient },
  { name: "no channel", body: { ...input, channels: [] }, ...invalid, param: "channels" },
  { name: "an unknown channel", body: { ...input, channels: ["fax"] }, ...invalid, param: "channels[0]" },
  { name: "a mail to a number", body: { ...input, channels: ["sms", "email"] }, ...invalid, param: "channels" },
  { name: "a call to an address", body: { ...mailed, channels: ["call"] }, ...invalid, param: "channels" },
  { name: "a code of three digits", body: { ...input, code_length: 3 }, ...invalid, param: "code_length" },
  { name: "a code of eleven digits", body: { ...input, code_length: 11 }, ...invalid, param: "code_length" },
  { name: "a code of seconds", body: { ...input, expires_in: 59 }, ...invalid, param: "expires_in" },
  { name: "a code of hours", body: { ...input, expires_in: 3_601 }, ...invalid, param: "expires_in" },
  { name: "a fallback after the end", body: { ...input, fallback_after: 600 }, ...invalid, param: "fallback_after" },
  { name: "a fallback at once", body: { ...input, fallback_after: 14 }, ...invalid, param: "fallback_after" },
  { name: "an unknown template", body: { ...input, template: "lottery" }, ...invalid, param: "template" },
  { name: "a locale that turns writing around", body: { ...input, locale: "\u202een" }, ...invalid, param: "locale" },
  { name: "an origin with a path", body: { ...input, origin: "shop.example.com/pay" }, ...invalid, param: "origin" },
  { name: "a code of one's own", body: { ...input, code: "123456" }, status: 400, code: "parameter_unknown", param: "code" },
  { name: "card data", body: { ...input, metadata: { card: "1" } }, status: 400, code: "card_number_refused" },
  { name: "a number that the simulator refuses", body: { ...input, to: "+15005550004" }, ...optedOut },
  { name: "a sender that is none", body: { ...input, from: "?!" }, ...invalid, param: "from" },
  { name: "what its second channel would refuse", body: { to: "+15005550009", channels: ["call", "sms"] }, ...badRecipient },
  {
    name: "a LIVE call of a project without a number",
    ...live,
    body: { ...liveInput, from: undefined, channels: ["call"] },
    status: 400,
    code: "sender_not_allowed",
    param: "from",
  },
  {
    name: "a country without a way out",
    ...inCanada,
    body: { ...liveInput, to: "+16135550142" },
    status: 409,
    code: "no_route",
    param: "to",
  },
  {
    name: "a country that is not the merchant's",
    ...live,
    body: { ...liveInput, to: "+447400123456" },
    status: 400,
    code: "country_not_allowed",
    param: "to",
  },
  {
    name: "a number of somebody else's",
    ...live,
    body: { ...liveInput, from: "+14155552699" },
    status: 400,
    code: "sender_not_allowed",
    param: "from",
  },
  {
    name: "a domain of somebody else's",
    tenant: { livemode: true },
    body: { ...mailed, from: "a@bank.com" },
    status: 400,
    code: "domain_not_verified",
    param: "from",
  },
  {
    name: "an address that is suppressed",
    given: async (shop) => {
      await createSuppression(app.ctx, shop, { channel: emailChannel, address: mailed.to, reason: "manual" });
      return undefined;
    },
    body: mailed,
    ...optedOut,
  },
  suspended,
]);
refusals("GET /v1/verifications", () => ({}), [
  { name: "a cursor that names nothing", query: "after=ver_x", status: 400, code: "invalid_cursor", param: "starting_after" },
  { name: "both cursors", query: "after=a&before=b", status: 400, code: "parameter_conflict", param: "ending_before" },
  { name: "an unknown state", query: "status=done", ...invalid, param: "status" },
]);
refusals("GET /v1/verifications/conversion", () => ({}), [
  { name: "no day", query: "days=0", ...invalid, param: "days" },
  { name: "a year", query: "days=365", ...invalid, param: "days" },
]);
refusals("GET /v1/verifications/:id", existing);
refusals("POST /v1/verifications/:id/check", checkable, [
  { name: "no code", body: {}, status: 400, code: "parameter_missing", param: "code" },
  { name: "letters", body: { code: "abcdef" }, ...invalid, param: "code" },
  { name: "a number in place of a text", body: { code: 424242 }, ...invalid, param: "code" },
  { name: "a verification that has ended", given: canceled, status: 409, code: "verification_state_conflict" },
]);
refusals("POST /v1/verifications/check", async (shop) => ({ body: { to: (await begin(shop))["to"], code: "000000" } }), [
  { name: "a recipient whom nobody verifies", body: { to: "+15005559999", code: "000000" }, ...notFound },
  { name: "a recipient that is none", body: { to: "Ada", code: "000000" }, ...notFound },
]);
refusals("POST /v1/verifications/:id/resend", existing, [
  { name: "a channel that is not the verification's", body: { channel: "call" }, ...invalid, param: "channel" },
  { name: "a verification that has ended", given: canceled, status: 409, code: "verification_state_conflict" },
  suspended,
  {
    name: "a fourth code",
    given: async (shop, { params }) => {
      for (let again = 0; again < 2; again += 1) await app.api(shop.key).post(`/v1/verifications/${params?.id}/resend`);
      return undefined;
    },
    status: 429,
    code: "verification_limit",
  },
]);
refusals("POST /v1/verifications/:id/cancel", existing, [
  { name: "a verification that has ended", given: canceled, status: 409, code: "verification_state_conflict" },
]);

test("in TEST a verification is started and finished only by requests, and every response is the verification", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const metadata = { order: "1001" };
  const verification = await begin(shop, { ...input, locale: "zh-CN", template: "payment", origin: "shop.example.com", metadata });
  expect(verification).toMatchObject({
    object: "verification",
    status: "pending",
    channel: "sms",
    country: "US",
    attempts_left: 5,
    sends_left: 2,
    metadata,
  });
  const wrong = await api.post(`/v1/verifications/${verification.id}/check`, { code: "000000" });
  expect([wrong.status, wrong.body.status, wrong.body.attempts_left]).toEqual([200, "pending", 4]);
  const right = await api.post("/v1/verifications/check", { to: input.to, code: testCode });
  expect([right.status, right.body.id, right.body.status]).toEqual([200, verification.id, "approved"]);
  expect((await api.get(`/v1/verifications/${verification.id}`)).body).toEqual(right.body);
  expect((await api.get("/v1/verifications?status=approved&to=%2B15005551000&channel=sms")).body.data).toEqual([right.body]);
  expect(JSON.stringify([verification, right.body])).not.toContain(testCode);
});

test("the newest pending verification of a recipient is used, however the address is written", async () => {
  const shop = await app.tenant();
  await begin(shop, mailed);
  const newest = await begin(shop, { ...mailed, to: "ada@Corner-Readers.com" });
  const answer = await app.api(shop.key).post("/v1/verifications/check", { to: "ada@CORNER-READERS.com", code: testCode });
  expect([answer.body.id, answer.body.status]).toEqual([newest.id, "approved"]);
});

test("a repeated request with its key starts, checks and sends nothing twice", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const twice = async (path: string, body: object) => {
    const send = () => api.call("POST", path, { body, headers: { "idempotency-key": path } });
    const [first, second] = [await send(), await send()];
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect(second.body).toEqual(first.body);
    return first.body;
  };
  const { id } = await twice("/v1/verifications", input);
  expect((await twice(`/v1/verifications/${id}/check`, { code: "000000" })).attempts_left).toBe(4);
  expect((await twice(`/v1/verifications/${id}/resend`, {})).sends_left).toBe(1);
  expect((await api.get(`/v1/verifications/${id}`)).body).toMatchObject({ attempts_left: 4, sends_left: 1, sends: [{}, {}] });
});

test("conversion counts what has ended, by the last channel and the country, and nothing of others", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const end = async (body: object, code: string | null) => {
    const { id } = await begin(shop, body);
    await (code === null ? api.post(`/v1/verifications/${id}/cancel`) : api.post(`/v1/verifications/${id}/check`, { code }));
  };
  await begin(shop);
  for (const code of [testCode, testCode, null]) await end(input, code);
  await end({ ...input, to: "+8613812345678" }, null);
  await end(mailed, testCode);
  expect((await api.get("/v1/verifications/conversion")).body).toEqual({
    object: "verification_conversion",
    project_id: shop.project_id,
    livemode: false,
    days: 30,
    data: [
      { channel: "sms", country: "US", ended: 3, approved: 2 },
      { channel: "email", country: null, ended: 1, approved: 1 },
      { channel: "sms", country: "CN", ended: 1, approved: 0 },
    ],
  });
  const other = app.api((await app.key(shop, ["emails:read"])).key);
  expect((await other.get("/v1/verifications/conversion?days=1")).body.data).toEqual([
    { channel: "email", country: null, ended: 1, approved: 1 },
  ]);
});

describe("permissions are those of its channels", () => {
  const keyOf = async (shop: TestTenant, permissions: string[]) => app.api((await app.key(shop, permissions)).key);

  test.each([
    ["sms:write", "sms"],
    ["calls:write", "call"],
  ])("%s starts verifications only by %s", async (scope, channel) => {
    const shop = await app.tenant();
    const api = await keyOf(shop, [scope]);
    expect((await api.post("/v1/verifications", { ...input, channels: [channel] })).status).toBe(201);
    const refused = await api.post("/v1/verifications", { ...input, channels: ["sms", "call"] });
    expect([refused.status, refused.body.error.code]).toEqual([403, "permission_denied"]);
  });

  test("a key that may not send through all of its channels can't change a verification", async () => {
    const shop = await app.tenant();
    const { id } = await begin(shop, { ...input, channels: ["sms", "call"] });
    const api = await keyOf(shop, ["sms:write", "sms:read"]);
    for (const action of ["check", "resend", "cancel"]) {
      const { body } = await api.post(`/v1/verifications/${id}/${action}`, action === "check" ? { code: testCode } : {});
      expect(body.error, action).toMatchObject({ required_scope: "calls:write" });
    }
    expect((await api.post("/v1/verifications/check", { to: input.to, code: testCode })).status).toBe(403);
    expect((await api.get(`/v1/verifications/${id}`)).status).toBe(403);
    expect((await app.api(shop.key).get(`/v1/verifications/${id}`)).body).toMatchObject({ status: "pending", attempts_left: 5 });
  });

  test("a list contains those whose channels the key may read", async () => {
    const shop = await app.tenant();
    const [bySms, byMail] = [await begin(shop), await begin(shop, mailed)];
    await begin(shop, { ...input, channels: ["sms", "call"] });
    const ids = async (permissions: string[]) =>
      ((await (await keyOf(shop, permissions)).get("/v1/verifications")).body.data as { id: string }[]).map(({ id }) => id);
    expect(await ids(["sms:read"])).toEqual([bySms.id]);
    expect(await ids(["emails:read"])).toEqual([byMail.id]);
    expect(await ids(["sms:read", "calls:read", "emails:read"])).toHaveLength(3);
  });
});
