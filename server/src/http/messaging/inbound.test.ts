import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { mailRoom } from "#test/support/mail/mail.ts";
import { type Good, refusalsIn } from "#test/support/refusals/refusals.ts";

const app = await testApp({ http: { perMinuteUnauthenticated: 1_000 } });
const room = mailRoom(app.ctx);
const refusals = refusalsIn(app);
const good: Good = async (shop) => {
  const { email } = await room.send({ ...shop, livemode: false }, { to: "ada@corner-readers.com" });
  await room.settle();
  return { body: { type: "complaint", email_id: email.id } };
};

refusals("POST /v1/test/inbound", good, [
  { name: "LIVE", tenant: { livemode: true }, status: 403, code: "environment_mismatch" },
  { name: "an unknown act", body: { type: "applause", email_id: "em_x" }, status: 400, code: "parameter_invalid", param: "type" },
  {
    name: "a message that is not there",
    body: { type: "reply", email_id: "em_x" },
    status: 404,
    code: "resource_missing",
    param: "email_id",
  },
  {
    name: "somebody who was not written to",
    given: (_shop, sent) => ({ body: { ...(sent.body as object), recipient: "bob@corner-readers.com" } }),
    status: 400,
    code: "parameter_invalid",
    param: "recipient",
  },
  {
    name: "a message that has not arrived",
    given: async (shop) => ({ body: { type: "reply", email_id: (await room.send(shop, { to: "eve@corner-readers.com" })).email.id } }),
    status: 409,
    code: "email_state_conflict",
  },
]);

test("a complaint in TEST ends a message and suppresses the address", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const { body } = await good(shop);
  const played = await api.post("/v1/test/inbound", body);
  expect(played.status, played.text).toBe(201);
  expect(played.body).toMatchObject({ object: "inbound", type: "complaint", recipient: "ada@corner-readers.com", livemode: false });
  expect((await api.get(`/v1/emails/${played.body.email_id}`)).body).toMatchObject({ status: "complained", last_event: "complained" });
  expect((await api.get("/v1/suppressions/ada@corner-readers.com")).body).toMatchObject({
    reason: "complaint",
    source_id: played.body.email_id,
  });
});
