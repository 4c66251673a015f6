import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { callRoom } from "#test/support/messages/calls.ts";
import { stepUntil } from "#test/support/time/eventually.ts";

const app = await testApp({ http: { tierLimits: ["free.calls=100000", "free.general=100000", "free.reads=100000"] } });
const room = callRoom(app);

test("a deleted text is gone from every response and row, with the keys that were pressed, and the call remains", async () => {
  const shop = await app.tenant();
  const api = app.api(shop.key);
  const once = (key: string) => ({ headers: { "idempotency-key": key } });
  const ask = { verb: "gather", name: "pin", num_digits: 4, actions: [{ verb: "say", text: "Your account is empty." }] };
  const input = { from: "+15005550006", to: "+15005552000", actions: [ask, { verb: "pause", length: 60 }] };
  const { body: made } = await api.post("/v1/calls", input, once("place"));
  const answered = async () => (await room.find(made)).gathered["pin"] === "1234";
  const own = room.process();
  const step = async () => {
    await own.run(room.ctx);
    await room.quiet();
    room.time.step();
    await room.quiet();
  };
  await stepUntil("the keys were pressed", { holds: answered, step });
  await api.post(`/v1/calls/${made.id}/hangup`, {}, once("hang-up"));
  await own.watch(room.ctx);
  await room.settle(own);
  const read = async () => [
    await api.get(`/v1/calls/${made.id}`),
    await api.get("/v1/calls"),
    await api.get(`/v1/calls/${made.id}/events`),
    await api.post("/v1/calls", input, once("place")),
    await api.post(`/v1/calls/${made.id}/hangup`, {}, once("hang-up")),
  ];
  const rows = async () =>
    runStatement(
      app.ctx.db,
      `select (select json_agg(c) from calls c) as calls, (select json_agg(result) from idempotency_keys) as results,
        (select string_agg(convert_from(body, 'utf8'), '') from events) as events`,
    );
  const everything = async () => JSON.stringify([(await read()).map(({ status, text }) => [status, text]), await rows()]);
  const secrets = ["Your account is", '\\"1234'];
  for (const secret of secrets) expect(await everything()).toContain(secret);
  const deleted = await api.delete(`/v1/calls/${made.id}/body`);
  expect([deleted.status, deleted.body]).toEqual([200, { id: made.id, object: "call_body", deleted: true }]);
  expect((await api.delete(`/v1/calls/${made.id}/body`)).status).toBe(200);
  for (const secret of secrets) expect(await everything()).not.toContain(secret);
  const answers = await read();
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 201, 200]);
  expect(answers[0]?.body).toMatchObject({ status: "completed", actions: null, steps: [], gathered: {}, digits: "", duration: 1 });
  const gathered = answers[2]?.body.data.find(({ event }: { event: string }) => event === "call.gathered");
  expect(gathered.data.gathered).toEqual({ name: "pin", digits: null, attempts: 1 });
});
