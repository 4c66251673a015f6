import type { TestApp, TestTenant } from "#test/support/app/test-app.ts";
import { callRoom } from "#test/support/messages/calls.ts";
import { smsRoom } from "#test/support/messages/sms.ts";
import { stepUntil } from "#test/support/time/eventually.ts";

const [contact, number] = ["+15005551000", "+15005550006"] as const;
const long =
  "Your order INV-2026-11-0001 with two notebooks and one fountain pen has left our shop in the Old Harbour Street. It’s with the courier now and reaches you tomorrow " +
  "between 9:00 and 12:00. Write to us if you’d rather have it another day, and we’ll see to it.";

/** SMS in every state that the simulator has, a conversation whose contact opted out in the end, and calls, one of them recorded. */
export async function fillTexts(app: TestApp, tenant: TestTenant): Promise<{ text: string; thread: [string, string]; call: string }> {
  const api = app.api(tenant.key);
  const room = smsRoom(app.ctx);
  const text = await room.send(tenant, {
    to: contact,
    body: long,
    tags: [{ name: "order", value: "INV-2026-11-0001" }],
    metadata: { table: "7" },
  });
  for (const to of ["+15005551001", "+15005551002", "+15005551004"])
    await room.send(tenant, { to, body: "您的订单 INV-2026-11-0001 已发货，预计明天送达。" });
  await room.send(tenant, {
    to: contact,
    body: "We close at six today.",
    scheduled_at: new Date(app.clock.now().getTime() + 86_400_000).toISOString(),
  });
  await room.settle();
  app.clock.advance(60_000);
  await room.settle();
  const bodies = ["Could you bring it on Friday instead? 周五可以吗？", "STOP"];
  for (const body of bodies) {
    const { status, text: answer } = await api.post("/v1/test/inbound", { sms: { from: contact, to: number, body } });
    if (status >= 300) throw new Error(answer);
    app.clock.advance(30_000);
  }
  await api.post("/v1/test/inbound", { sms: { from: "+15005551009", to: number, body: "Is the shop open on Sunday?" } });
  await room.settle();
  return { text: text.id, thread: [contact, number], call: await fillCalls(app, tenant) };
}

async function fillCalls(app: TestApp, tenant: TestTenant): Promise<string> {
  const room = callRoom(app);
  const from = number;
  const ask = {
    verb: "gather",
    name: "confirm",
    num_digits: 4,
    actions: [{ verb: "say", text: "Enter the four digits of your order 请输入订单的四位数字." }],
  };
  const actions = [
    { verb: "say", text: "This is Corner Books and Stationery. Your order is ready to be collected." },
    ask,
    { verb: "record", max_length: 30 },
    { verb: "say", text: "Thank you. Goodbye." },
  ];
  const call = await room.place(tenant, { from, to: "+15005552000", actions, record: "dual", metadata: { order: "INV-2026-11-0001" } });
  for (const to of ["+15005552001", "+15005552002", "+15005552004"])
    await room.place(tenant, { from, to, text: "您的订单已备好，请到店领取。" });
  await stepUntil("the call is over", { holds: async () => (await room.find(call)).state === "done", step: () => room.settle() });
  await room.place(tenant, {
    from,
    to: "+15005552000",
    text: "We open at nine.",
    scheduled_at: new Date(app.clock.now().getTime() + 3_600_000).toISOString(),
  });
  return call.id;
}
