import { personalMethods } from "#collection/index.ts";
import type { Given } from "../command.ts";
import type { Settings } from "../config.ts";
import { type ApiClient, openApi } from "../developer/api-client.ts";

type Action = (api: ApiClient, order: string) => Promise<unknown>;

const simulate =
  (outcome: string): Action =>
  (api, order) =>
    api.call("POST", `${order}/simulate-payment`, { outcome });

/** How each event is triggered: a new order, and what happens to it. */
const actions: Record<string, Action[]> = {
  "order.created": [],
  "order.paid": [simulate("paid")],
  "transaction.completed": [simulate("paid")],
  "payment.session.created": [(api, order) => api.call("POST", `${order}/payments`, { gateway: personalMethods[0].gateway })],
  "order.payment_pending_verify": [simulate("pending_verify")],
  "order.failed": [simulate("expire")],
  "order.expired": [simulate("expire")],
  "payment.session.failed": [simulate("failed")],
  "payment.exception": [simulate("overpaid")],
  "order.verification_rejected": [
    simulate("pending_verify"),
    (api, order) => api.call("POST", `${order}/verification`, { decision: "reject", reason_code: "not_received" }),
  ],
};

export async function run(settings: Settings, given: Given): Promise<number> {
  const [event = ""] = given.words;
  const steps = actions[event];
  if (steps === undefined)
    throw new Error(
      `Which event? One of:\n${Object.keys(actions)
        .map((name) => `  ${name}`)
        .join("\n")}`,
    );
  const api = await openApi(settings, given);
  const order = await api.call<{ id: string }>("POST", `${api.project}/orders`, {
    amount_minor: 9900,
    currency: "CNY",
    metadata: { triggered: event },
  });
  for (const step of steps) await step(api, `${api.project}/orders/${order.id}`);
  process.stdout.write(`Created ${event} (${order.id})\n`);
  return 0;
}
