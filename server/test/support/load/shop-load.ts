import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Tenant } from "#platform/index.ts";
import type { Db } from "#platform/sql.ts";
import { newEmail } from "#test/support/mail/mail.ts";
import { type Posted, postJson } from "#test/support/network/post-json.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { listTraces } from "./kill.sql.ts";

/** The responses that the callers of a careful shop got. */
export interface ShopLoad {
  /** Order id by reference, of every 201 that a caller saw. */
  acknowledged: Map<string, string>;
  /** Ids of orders that a caller saw as paid. */
  paid: Set<string>;
  /** Ids of orders that a caller saw as canceled. */
  canceled: Set<string>;
  /** Ids of messages that were accepted. */
  mails: string[];
  /** How often a caller got 503. */
  unavailable: number;
  /** Unexpected responses while the program served. */
  unexpectedAnswers: string[];
  /**
   * Resolves once `count` more orders were acknowledged. Counted in orders, not in time, so that a test's actions happen under load on a
   * slow machine, too.
   */
  more(count: number): Promise<void>;
  /** Ends when every caller has finished its current work. */
  stop(): Promise<void>;
  /** Gives up immediately. */
  halt(): void;
}

export interface ShopPlan {
  /** The API's ports on this machine. Each request goes to another one than the last. */
  ports: readonly number[];
  project_id: string;
  key: string;
  /** Cancels some orders as well. */
  cancels?: boolean;
  /** With it, callers send emails too. */
  mailKey?: string;
}

const callers = 16;
const amountMinor = 8_800;
const maxOdd = 20;

interface Call {
  path: string;
  key: string;
  body: object;
  apiKey?: string;
}

interface Shop {
  plan: ShopPlan;
  load: ShopLoad;
  agent: Agent;
  turn: number;
  /** The latest response to each request that is repeated at the moment, by key. */
  answers: Map<string, string>;
  isStopping: boolean;
  isHalted: boolean;
}

/** Creates orders and pays a third of them, each request repeated with its Idempotency-Key until it gets a response. */
export function startShopLoad(plan: ShopPlan): ShopLoad {
  // Without a limit: a request that waits for a socket would have no time-out.
  const agent = new Agent({ keepAlive: true });
  const load: ShopLoad = {
    ...{ acknowledged: new Map(), paid: new Set(), canceled: new Set(), mails: [], unavailable: 0, unexpectedAnswers: [] },
    async more(count) {
      const wanted = load.acknowledged.size + count;
      const isThere = () => {
        if (load.unexpectedAnswers.length > 0 && shop.isHalted) throw new Error(`odd answers: ${load.unexpectedAnswers.join("\n")}`);
        return load.acknowledged.size >= wanted;
      };
      await eventually(() => `more orders: ${describe(shop, wanted)}`, isThere, { everyMs: 1 + Math.random() * 5, withinMs: 300_000 });
    },
    async stop() {
      shop.isStopping = true;
      await running;
      agent.destroy();
    },
    halt() {
      shop.isStopping = true;
      shop.isHalted = true;
      agent.destroy();
    },
  };
  const shop: Shop = { plan, load, agent, turn: 0, answers: new Map(), isStopping: false, isHalted: false };
  const running = Promise.all(Array.from({ length: callers }, (_, index) => callAgainAndAgain(shop, index)));
  return load;
}

/** Why there are no more, for the failure of a test. */
function describe({ load, agent, answers }: Shop, wanted: number): string {
  const sockets = [agent.sockets, agent.freeSockets, agent.requests].map((all) => Object.values(all).flat().length).join(" + ");
  return `${load.acknowledged.size} of ${wanted}, ${sockets} sockets in use, free and wanted; ${JSON.stringify([...answers])}`;
}

async function callAgainAndAgain(shop: Shop, index: number): Promise<void> {
  const { plan, load } = shop;
  const orders = `/api/v1/projects/${plan.project_id}/orders`;
  for (let count = 0; !shop.isStopping; count += 1) {
    const reference = `load-${index}-${count}`;
    const order = await insist(shop, {
      path: orders,
      key: `make-${reference}`,
      body: { amount_minor: amountMinor, currency: "CNY", reference },
    });
    if (order === null) return;
    const id = String(order["id"]);
    load.acknowledged.set(reference, id);
    if (count % 3 === 0) {
      const paid = await insist(shop, { path: `${orders}/${id}/simulate-payment`, key: `pay-${reference}`, body: { outcome: "paid" } });
      if (paid?.["status"] === "paid") load.paid.add(id);
    }
    if (count % 3 === 1 && plan.cancels === true) {
      const canceled = await insist(shop, { path: `${orders}/${id}/cancel`, key: `cancel-${reference}`, body: {} });
      if (canceled?.["status"] === "canceled") load.canceled.add(id);
    }
    if (count % 3 === 2 && plan.mailKey !== undefined) {
      const body = newEmail({ to: `reader-${index}-${count}@lovelace.dev` });
      const mail = await insist(shop, { path: "/v1/emails", key: `mail-${reference}`, body, apiKey: plan.mailKey });
      if (mail !== null) load.mails.push(String(mail["id"]));
    }
  }
}

/** Repeats one request under one Idempotency-Key until it gets a response. */
async function insist(shop: Shop, call: Call): Promise<Record<string, unknown> | null> {
  const { load } = shop;
  while (!shop.isHalted) {
    const answer = await post(shop, call).catch(() => null);
    if (answer !== null && answer.status >= 200 && answer.status < 300) {
      shop.answers.delete(call.key);
      return JSON.parse(answer.text) as Record<string, unknown>;
    }
    shop.answers.set(call.key, answer === null ? "none" : `${answer.status} ${answer.text.slice(0, 200)}`);
    if (answer?.status === 503) load.unavailable += 1;
    if (answer !== null && !isToRepeat(answer)) {
      load.unexpectedAnswers.push(`${call.path}: ${answer.status} ${answer.text.slice(0, 300)}`);
      if (load.unexpectedAnswers.length > maxOdd) load.halt();
    }
    // A program that is down starts sooner if it isn't called all the time.
    await sleep(answer === null ? 100 : 20);
  }
  return null;
}

function isToRepeat({ status, retryAfter, text }: Posted): boolean {
  return (status === 503 && retryAfter !== undefined) || (status === 409 && text.includes("idempotency_key_in_use"));
}

function post(shop: Shop, { path, key, body, apiKey }: Call): Promise<Posted> {
  const { agent, plan } = shop;
  const port = plan.ports[(shop.turn += 1) % plan.ports.length] as number;
  return postJson({ agent, port, path, headers: { authorization: `Bearer ${apiKey ?? plan.key}`, "idempotency-key": key }, body });
}

/** Acknowledged orders that are lost, duplicated, moved back, without their events or not booked. */
export async function faultsOfLoad(db: Db, tenant: Tenant, load: ShopLoad): Promise<string[]> {
  const traces = await listTraces(db, tenant);
  const byReference = Map.groupBy(traces, (trace) => trace.reference);
  const faults = [...load.acknowledged].flatMap(([reference, id]) => {
    const found = byReference.get(reference) ?? [];
    return found.length === 1 && found[0]?.id === id
      ? []
      : [`${reference} was acknowledged as ${id}; there are ${found.map((trace) => trace.id).join(", ") || "none"}`];
  });
  for (const { id, status, created_events, paid_events, booked_minor } of traces) {
    if (load.paid.has(id) && status !== "paid") faults.push(`${id} was acknowledged as paid and is ${status}`);
    if (load.canceled.has(id) && status !== "canceled") faults.push(`${id} was acknowledged as canceled and is ${status}`);
    if (created_events !== 1) faults.push(`${id} has ${created_events} order.created`);
    if (paid_events !== (status === "paid" ? 1 : 0)) faults.push(`${id} is ${status} and has ${paid_events} order.paid`);
    if (booked_minor !== (status === "paid" ? amountMinor : 0)) faults.push(`${id} is ${status} and has ${booked_minor} booked`);
  }
  return faults;
}
