import type { GatewayAccount, GatewayCall, NewGatewayRefund, PaymentKey, SimulatedOutcome } from "#gateways/index.ts";
import { GatewayError } from "#gateways/index.ts";
import { type GatewayUnderTest, nextId, openShops, type Shop } from "../contract/shops.ts";

/** A simulator's answer to the adapter, or a callback that it sent. */
export interface Recorded {
  /** `POST /v1/refunds`, without host and query; `callback` for a callback. */
  request: string;
  status: number;
  /** Parsed, if it is JSON. */
  body: unknown;
}

/** What happens to the payments of a recording, one list for each, in this order. */
const histories: readonly (readonly SimulatedOutcome[])[] = [
  [],
  ["paid"],
  ["declined"],
  ["canceled"],
  ["expired"],
  ["processing"],
  ["processing", "paid"],
  ["paid", "disputed"],
  ["paid", "disputed", "dispute_won"],
  ["paid", "disputed", "dispute_lost"],
];

/**
 * Records what a simulator really answers and sends while its adapter creates, queries, closes, refunds and lists payments to which
 * everything happens that the simulator knows.
 */
export async function recordAnswers(given: GatewayUnderTest): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  for (const history of histories.filter((outcomes) => outcomes.every((outcome) => given.simulator.outcomes.includes(outcome)))) {
    const shop = await recordingShop(given, recorded);
    await recordHistory(given, shop, history);
    recorded.push(...shop.world.sent.map(({ body }) => ({ request: "callback", status: 200, body: parsed(body) })));
  }
  return recorded;
}

async function recordingShop(given: GatewayUnderTest, recorded: Recorded[]): Promise<Shop> {
  const shop = await openShops(given).open();
  await given.simulator.enterCallbackUrl?.(shop.world, { account: "shop", url: "https://shop.test/callbacks" });
  return { ...shop, call: { ...shop.call, fetch: recording(shop.call.fetch, recorded) } };
}

/** A `fetch` that records each answer. */
export function recording(fetch: GatewayCall["fetch"], recorded: Recorded[]): GatewayCall["fetch"] {
  return async (input, init) => {
    const { method, url } = new Request(input, init);
    const answer = await fetch(input, init);
    const body = parsed(await answer.clone().text());
    recorded.push({ request: `${method} ${new URL(url).pathname}`, status: answer.status, body });
    return answer;
  };
}

async function recordHistory(given: GatewayUnderTest, shop: Shop, history: readonly SimulatedOutcome[]): Promise<void> {
  const { account, call, world } = shop;
  const request = openShops(given).payment(world);
  if (account.check !== null) await allowed(account.check(call));
  const created = await account.create(call, request);
  const key: PaymentKey = { reference: request.reference, providerId: created.providerId };
  for (const outcome of history) {
    world.pass(60);
    await allowed(given.simulator.simulate(world, { reference: request.reference, outcome }));
    await allowed(account.query(call, key));
    if (account.capture !== null) await allowed(account.capture(call, key));
  }
  const snapshot = await allowed(account.query(call, { ...key, providerId: null }));
  const refund = {
    ...key,
    captureId: snapshot?.captureId ?? null,
    total: given.amount,
    reason: "Tea was cold",
    notifyUrl: request.notifyUrl,
  };
  await recordRefunds(given, shop, refund);
  if (account.close !== null) await allowed(account.close(call, key));
  await allowed(account.query(call, key));
  await recordList(shop, account);
}

async function recordRefunds(
  { amount, simulator }: GatewayUnderTest,
  { account, call, world }: Shop,
  of: Omit<NewGatewayRefund, "refundReference" | "amount">,
): Promise<void> {
  const part = { ...amount, amount_minor: 100 };
  for (const outcome of ["succeeded", "failed", "failed_later"] as const) {
    const refund: NewGatewayRefund = { ...of, refundReference: nextId("rf"), amount: part };
    const made = await allowed(account.refund(call, refund));
    world.pass(60);
    await allowed(simulator.simulateRefund(world, { refundReference: refund.refundReference, outcome }));
    await allowed(account.queryRefund(call, { ...refund, providerRefundId: made?.providerRefundId ?? null }));
    await allowed(account.queryRefund(call, { ...refund, providerRefundId: null }));
  }
}

async function recordList({ call, world }: Shop, account: GatewayAccount): Promise<void> {
  const from = new Date(world.now().getTime() - 86_400_000);
  world.pass(5 * 86_400);
  if (account.listSettled !== null) await allowed(account.listSettled(call, { from, to: world.now() }));
}

/** Not every history allows everything: a refusal is an answer too. */
async function allowed<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof GatewayError || (error instanceof Error && error.constructor === Error)) return null;
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A copy of the first successful answer to a request, with an id that isn't a text: what a check of answers must find. */
export function brokenAnswer(recorded: readonly Recorded[], request: RegExp): Recorded {
  const found = recorded.find((one) => one.status < 300 && request.test(one.request));
  if (found === undefined) throw new Error(`there is no answer to ${request.source}`);
  return { ...found, body: { ...(found.body as object), id: 7 } };
}
