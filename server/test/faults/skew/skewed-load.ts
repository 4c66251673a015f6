import { setTimeout as sleep } from "node:timers/promises";
import { newEmail } from "#test/support/mail/mail.ts";
import { type Answered, ask, checkNear, type Skew, type SkewedWorld } from "./skewed-world.ts";

/** What one caller did, for the comparison afterwards. */
export interface Done {
  /** In the order in which they were acknowledged, each with whether it was paid. */
  orders: { id: string; isPaid: boolean; token: string }[];
  mails: number;
}

const termMs = 300_000;

export interface Load extends Skew {
  durationMs: number;
  callers: number;
}

const leastOrders = 12;

/** Orders, payments, repeated keys, links and emails, each at the other process than the one before, for `forMs`. */
export async function skewedLoad(world: SkewedWorld, { durationMs, callers }: Pick<Load, "durationMs" | "callers">): Promise<Done> {
  const done: Done = { orders: [], mails: 0 };
  const end = performance.now() + durationMs;
  let next = 0;
  const call = async () => {
    while (performance.now() < end || next < leastOrders) {
      const n = next;
      next += 1;
      await orderAndMail(world, done, n);
      await sleep(10);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return done;
}

async function orderAndMail(world: SkewedWorld, done: Done, n: number): Promise<void> {
  const { shop, live, faults } = world;
  const orders = `/api/v1/projects/${shop.project_id}/orders`;
  const call = {
    path: orders,
    key: shop.key,
    body: { amount_minor: 9_900 + n, currency: "CNY", expires_in: termMs / 1000 },
    headers: { "idempotency-key": `make-${n}` },
  };
  const made = must(await ask(world, n, call), 201, "an order");
  const again = must(await ask(world, n + 1, call), 201, "the same order with the same key");
  if (again.body.id !== made.body.id) faults.add("one idempotency key made two orders");
  checkOrder(made, faults);
  const { id = "", payment_link = { token: "" } } = made.body;
  const seen = must(await ask(world, n + 2, { path: `/api/public/pay/${payment_link.token}` }), 200, "a buyer's page");
  if (JSON.stringify(seen.body).includes('"expired"')) faults.add("an order was born expired");
  const isPaid = n % 2 === 0;
  done.orders.push({ id, isPaid, token: payment_link.token });
  if (isPaid)
    must(
      await ask(world, n + 1, {
        path: `${orders}/${id}/simulate-payment`,
        key: shop.key,
        body: {},
        headers: { "idempotency-key": `pay-${n}` },
      }),
      200,
      "a payment",
    );
  const mail = must(
    await ask(world, n + 2, { path: "/v1/emails", key: live.key, body: newEmail({ to: `reader-${n}@lovelace.dev` }) }),
    202,
    "a mail",
  );
  if (mail.body.created_at !== undefined) checkNear(faults, "a mail's created_at", mail.body.created_at);
  done.mails += 1;
}

function checkOrder({ body }: Answered, faults: Set<string>): void {
  checkNear(faults, "an order's created_at", body.created_at);
  checkNear(faults, "an order's expiry", new Date(body.expires_at ?? "").getTime() - termMs);
  checkNear(faults, "the time in an order's id", timeOfId(body.id ?? ""));
}

/** The time encoded at the start of an id. */
export function timeOfId(id: string): number {
  const digits = "0123456789abcdefghjkmnpqrstvwxyz";
  return [...(id.split("_")[1] ?? "").slice(0, 10)].reduce((sum, letter_) => sum * 32 + digits.indexOf(letter_), 0);
}

export function must(answer: Answered, status: number, what: string): Answered {
  if (answer.status !== status && !(status < 300 && answer.status < 300))
    throw new Error(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}

/** Reads the list of orders by pages, each from another process, and compares it with what was created. */
export async function checkPages(world: SkewedWorld, { orders }: Done, callers: number): Promise<void> {
  const { shop, faults } = world;
  const listed: { id: string; created_at: string }[] = [];
  for (let page = 0, cursor: string | null = ""; cursor !== null; page += 1) {
    const path = `/api/v1/projects/${shop.project_id}/orders?limit=7${cursor === "" ? "" : `&starting_after=${cursor}`}`;
    const { body } = must(await ask(world, page, { path, key: shop.key }), 200, "a page of orders");
    listed.push(...(body.data ?? []));
    cursor = body.next_cursor ?? null;
  }
  const ids = new Set(listed.map(({ id }) => id));
  const missing = orders.filter(({ id }) => !ids.has(id));
  if (missing.length > 0 || listed.length !== orders.length)
    faults.add(`pages have ${listed.length} of ${orders.length} orders, without ${missing.length}`);
  const inOrder = orders.map(({ id }) => id).reverse();
  // Orders that several callers create at once arrive in any order, and clocks are compared to some milliseconds.
  const placeOf = new Map(inOrder.map((id, place) => [id, place]));
  const astray = listed.filter(({ id }, at) => Math.abs((placeOf.get(id) ?? 0) - at) > 2 + 2 * callers).length;
  if (astray > 0) faults.add(`${astray} of ${listed.length} orders are not listed where they were made`);
}

/** A link can be read only as often as one minute allows, whatever the processes' clocks show. */
export async function checkLimit(world: SkewedWorld, token: string, limit: number): Promise<void> {
  const answers = await Promise.all(Array.from({ length: limit * 2 }, (_, n) => ask(world, n, { path: `/api/public/pay/${token}` })));
  const allowed = answers.filter(({ status }) => status === 200).length;
  // It was read once when it was created, perhaps in this minute.
  if (allowed > limit || allowed < limit - 1) world.faults.add(`${allowed} reads of a link were allowed in place of ${limit}`);
  for (const { status, headers } of answers)
    if (status === 429 && Number(headers.get("retry-after")) > 61)
      world.faults.add(`a refused read may come again after ${headers.get("retry-after")} s`);
}
