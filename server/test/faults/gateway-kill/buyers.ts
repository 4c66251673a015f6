import { Agent } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { type SimulatedOutcome, takesAmount } from "#gateways/index.ts";
import { postJson } from "#test/support/network/post-json.ts";
import { eventually } from "#test/support/time/eventually.ts";
import type { FaultyProvider } from "./faulty-provider.ts";

/**
 * Buyers who pay through gateways, and a careful merchant's program that starts their payments: it repeats every request under its key
 * until it gets a response.
 */
export interface Buyers {
  /** Payments that a buyer was redirected to. */
  started: number;
  /** References that a buyer paid at the provider, as far as the provider accepted it. */
  paid: Set<string>;
  /** Refunds that the merchant's program requested and got a response for. */
  refunded: number;
  /** Responses that callers don't have to expect. */
  unexpectedAnswers: string[];
  /** Resolves once `count` more payments were started. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

export interface BuyersPlan {
  port: number;
  project_id: string;
  key: string;
  providers: readonly FaultyProvider[];
  amount_minor: number;
  /** Whether the merchant also refunds paid orders, in full and in parts. */
  refunds: boolean;
}

interface BuyersRun {
  plan: BuyersPlan;
  buyers: Buyers;
  agent: Agent;
  /** Orders that a buyer paid and that weren't refunded yet, oldest first. */
  refundable: { order_id: string; provider: FaultyProvider }[];
  isStopping: boolean;
}

interface Started {
  order_id: string;
  payment_session_id: string;
}

const atOnce = 12;
const maxTries = 400;
/** Refusals that end a caller's attempt: another one was faster, or the payment is processing. */
const endings = ["order_already_paid", "order_state_conflict", "session_active", "gateway_error", "refund_exceeds_received"];
/** Errors that are worth repeating the same request for. */
const passing = ["gateway_timeout", "service_unavailable", "idempotency_key_in_use"];
const payings: readonly SimulatedOutcome[] = ["paid", "paid", "paid", "silent", "duplicate", "out_of_order"];

export function startBuyers(plan: BuyersPlan): Buyers {
  const buyers: Buyers = {
    ...{ started: 0, paid: new Set<string>(), refunded: 0, unexpectedAnswers: [] },
    async more(count) {
      const wanted = buyers.started + count;
      const isThere = () => {
        if (buyers.unexpectedAnswers.length > 0) throw new Error(`odd answers: ${buyers.unexpectedAnswers.join("\n")}`);
        return buyers.started >= wanted;
      };
      await eventually("more payments", isThere, { everyMs: 1 + Math.random() * 5, withinMs: 300_000 });
    },
    async stop() {
      run.isStopping = true;
      await running;
      run.agent.destroy();
    },
  };
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce * 2 });
  const run: BuyersRun = { plan, buyers, agent, refundable: [], isStopping: false };
  const running = Promise.all(Array.from({ length: atOnce }, (_, index) => buyAgainAndAgain(run, index)));
  return buyers;
}

async function buyAgainAndAgain(run: BuyersRun, index: number): Promise<void> {
  for (let count = 0; !run.isStopping; count += 1) {
    await buy(run, `kill-${index}-${count}`);
    if (run.plan.refunds && run.refundable.length > atOnce) await giveBack(run);
  }
}

const oneOf = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T;

/** A buyer's visit: they pay, give up, choose another method, also pay in an old tab, or their order is canceled in the middle. */
async function buy(run: BuyersRun, reference: string): Promise<void> {
  const { providers, amount_minor } = run.plan;
  const first = oneOf(providers);
  const { currency } = first;
  const started = await start(run, first, { key: reference, body: { reference, amount_minor, currency } });
  if (started === null) return;
  const { order_id, payment_session_id } = started;
  const draw = Math.random();
  if (draw < 0.55) return payOnce(run, first, started);
  if (draw < 0.65) return simulate(first, payment_session_id, oneOf(["declined", "canceled"])).then(() => {});
  if (draw < 0.75) return;
  if (draw < 0.85)
    return void (await Promise.all([cancel(run, order_id), turns(Math.random() * 100).then(() => pay(run, first, payment_session_id))]));
  const others = providers.filter((one) => one !== first && takesAmount(one.adapter.manifest, { amount_minor, currency }));
  if (others.length === 0) return payOnce(run, first, started);
  const other = oneOf(others);
  const second = await start(run, other, { key: `${reference}-again`, body: { order_id } });
  await Promise.all([
    second === null ? null : pay(run, other, second.payment_session_id),
    draw < 0.95 ? null : pay(run, first, payment_session_id),
  ]);
}

/** Yields to other work of this process `count` times. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Null if another one was faster, or the provider definitely refused. */
async function start(run: BuyersRun, provider: FaultyProvider, { key, body }: { key: string; body: object }): Promise<Started | null> {
  const { project_id } = run.plan;
  const path = `/api/v1/projects/${project_id}/gateways/${provider.simulator.slug}/payments`;
  const started = (await insist(run, { path, key: `start-${key}`, body })) as (Started & { next_action: object | null }) | null;
  if (started === null || started.next_action === null) return null;
  run.buyers.started += 1;
  return started;
}

async function cancel(run: BuyersRun, order_id: string): Promise<void> {
  await insist(run, { path: `/api/v1/projects/${run.plan.project_id}/orders/${order_id}/cancel`, key: `cancel-${order_id}`, body: {} });
}

async function payOnce(run: BuyersRun, provider: FaultyProvider, { order_id, payment_session_id }: Started): Promise<void> {
  await pay(run, provider, payment_session_id);
  if (run.buyers.paid.has(payment_session_id)) run.refundable.push({ order_id, provider });
}

/** WeChat Pay makes one refund of a payment a minute, longer than anyone waits here. */
const oneAtATime = ["wechatpay_merchant"];
const parts = [1_000, 1_700];

/**
 * The merchant refunds the order that was paid first: all of it, a part, or two parts at once. Most refunds that don't end at once are
 * decided at the provider soon, some of them as failed; the rest wait.
 */
async function giveBack(run: BuyersRun): Promise<void> {
  const chosen = run.refundable.shift();
  if (chosen === undefined) return;
  const { order_id, provider } = chosen;
  const draw = Math.random();
  const amounts = draw < 0.35 ? [null] : draw < 0.65 || oneAtATime.includes(provider.simulator.slug) ? parts.slice(0, 1) : parts;
  await Promise.all(
    amounts.map(async (amount_minor) => {
      const path = `/api/v1/projects/${run.plan.project_id}/orders/${order_id}/refunds`;
      const body = amount_minor === null ? {} : { amount_minor };
      const made = (await insist(run, { path, key: `refund-${order_id}-${amount_minor}`, body })) as { id: string } | null;
      if (made === null) return;
      run.buyers.refunded += 1;
      if (Math.random() < 0.6) await provider.decideRefund(made.id, Math.random() < 0.8 ? "succeeded" : "failed");
    }),
  );
}

async function pay({ buyers }: BuyersRun, provider: FaultyProvider, reference: string): Promise<void> {
  if (await simulate(provider, reference, oneOf(payings.filter((one) => provider.simulator.outcomes.includes(one)))))
    buyers.paid.add(reference);
}

/** False if the provider's page no longer allows it. */
function simulate(provider: FaultyProvider, reference: string, outcome: SimulatedOutcome): Promise<boolean> {
  return provider.simulate(reference, outcome).then(
    () => true,
    () => false,
  );
}

/** Repeats one request under one Idempotency-Key until it gets a final response. */
async function insist(run: BuyersRun, { path, key, body }: { path: string; key: string; body: object }): Promise<object | null> {
  const { plan, agent, buyers } = run;
  const headers = { authorization: `Bearer ${plan.key}`, "idempotency-key": key };
  for (let tries = 0; tries < maxTries; tries += 1) {
    const answer = await postJson({ agent, port: plan.port, path, headers, body }).catch(() => null);
    if (answer !== null && answer.status < 300) return JSON.parse(answer.text) as object;
    const isExpected = (codes: readonly string[]) => answer !== null && codes.some((code) => answer.text.includes(`"${code}"`));
    if (isExpected(endings)) return null;
    if (answer !== null && !isExpected(passing)) buyers.unexpectedAnswers.push(`${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    // A process that is down starts sooner if it isn't called all the time.
    await pause(answer === null ? 100 : 30);
  }
  return null;
}
