import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSharedLimits, type LimitRule, type LimitStore, openRedisLimits } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { type Redis, redisServer } from "#test/support/debian/redis.ts";
import { type ApiProcess, startApi } from "#test/support/programs/api-processes.ts";

const app = await testApp();
// Redis and the processes use the machine's clock.
app.clock.run();
const nodes = 4;
const limit = 1_000;
let redis: Redis;
let apis: ApiProcess[] = [];

beforeAll(async () => {
  redis = await redisServer();
  const settings = {
    LIMITS_STORE: "redis",
    REDIS_URL: redis.url,
    LIMITS_NODES: String(nodes),
    RATE_LIMIT_TEST: String(limit),
    LOG_LEVEL: "fatal",
  };
  apis = await Promise.all(Array.from({ length: nodes }, () => startApi(app.url, settings)));
});
afterAll(async () => {
  await Promise.all(apis.map((api) => api.stop()));
  await redis?.remove();
});

interface LimitAnswer {
  status: number;
  limit: number;
  remaining: number;
  reset: number;
  agrees: boolean;
}

async function ask(api: ApiProcess, key: string): Promise<LimitAnswer> {
  const { status, headers } = await fetch(`${api.url}/api/v1/merchant`, { headers: { authorization: `Bearer ${key}` } });
  const number = (name: string) => Number(headers.get(name) ?? Number.NaN);
  const [shown, remaining, reset] = [number("x-ratelimit-limit"), number("x-ratelimit-remaining"), number("x-ratelimit-reset")];
  const now = Date.now() / 1000;
  const agrees =
    headers.get("ratelimit-policy") === `"default";q=${shown};w=60` &&
    headers.get("ratelimit")?.startsWith(`"default";r=${remaining};t=`) === true &&
    remaining >= 0 &&
    remaining <= shown &&
    reset >= now - 1 &&
    reset <= now + 62 &&
    (status === 429 ? Math.abs(now + number("retry-after") - reset) <= 2 : headers.get("retry-after") === null);
  return { status, limit: shown, remaining, reset, agrees };
}

/** Sends this many requests, a hundred concurrently on each of several servers. */
async function storm(on: ApiProcess[], key: string, requests: number): Promise<LimitAnswer[]> {
  let left = requests;
  const seen: LimitAnswer[] = [];
  const callers = on.flatMap((api) =>
    Array.from({ length: 25 }, async () => {
      while (left-- > 0) seen.push(await ask(api, key));
    }),
  );
  await Promise.all(callers);
  return seen;
}

const admitted = (seen: LimitAnswer[]) => seen.filter(({ status }) => status === 200);

describe("four processes on one Redis", () => {
  test("admit exactly the limit, and every response's headers agree", async () => {
    const { key } = await app.tenant();
    const seen = await storm(apis, key, 4_000);
    expect([seen.length, admitted(seen).length, seen.filter(({ status }) => status === 429).length]).toEqual([4_000, limit, 3_000]);
    expect(seen.filter(({ agrees }) => !agrees)).toEqual([]);
    expect(new Set(seen.map(({ reset }) => reset))).toHaveProperty("size", 1);
    expect(
      admitted(seen)
        .map(({ remaining }) => remaining)
        .sort((a, b) => a - b),
    ).toEqual(Array.from({ length: limit }, (_none, index) => index));
  });

  test("each allow their part when it is gone, and count together again when it is back", async () => {
    const { key } = await app.tenant();
    expect(await ask(apis[0] as ApiProcess, key)).toMatchObject({ status: 200, limit, remaining: limit - 1 });
    await redis.kill();
    const parts = [];
    for (const api of apis) parts.push(await storm([api], key, 400));
    for (const seen of parts) {
      expect([admitted(seen).length, new Set(seen.map((one) => one.limit)), seen.filter(({ agrees }) => !agrees)]).toEqual([
        limit / nodes,
        new Set([limit / nodes]),
        [],
      ]);
    }
    const metrics = await (await fetch(`${apis[0]?.url}/metrics`)).text();
    expect(metrics).toMatch(/^tillpost_limit_store_up 0$/m);
    await redis.start();
    await expect
      .poll(async () => (await ask(apis[0] as ApiProcess, (await app.tenant()).key)).limit, { timeout: 15_000, interval: 250 })
      .toBe(limit);
    for (const api of apis)
      await expect.poll(async () => (await ask(api, (await app.tenant()).key)).limit, { timeout: 15_000, interval: 250 }).toBe(limit);
    const { key: other } = await app.tenant();
    expect(admitted(await storm(apis, other, 1_500))).toHaveLength(limit);
  });
});

describe("a window in Redis", () => {
  const rule: LimitRule = { limit: 3, windowMs: 1_000 };
  const store = (): Promise<LimitStore> =>
    openRedisLimits(redis.url, "test:").then((opened) =>
      createSharedLimits({ store: opened, nodes: 1, onChange: () => {}, timeoutMs: 5_000 }),
    );

  test("is anchored at its first request, can be read, takes back, and ends", async () => {
    const limits = await store();
    await pause(300);
    const bucket = limits.bucket("b");
    const first = await bucket.take("key", rule, 0);
    expect(first).toMatchObject({ allowed: true, remaining: 2 });
    expect(first.resetsAtMs - first.nowMs).toBe(1_000);
    await bucket.take("key", rule, 0);
    const third = await bucket.take("key", rule, 0);
    expect(await bucket.take("key", rule, 0)).toMatchObject({ allowed: false, remaining: 0, resetsAtMs: first.resetsAtMs });
    bucket.release("key", third);
    await expect.poll(() => bucket.look("key", rule, 0), { interval: 5 }).toMatchObject({ allowed: true, remaining: 1 });
    expect(await bucket.take("key", rule, 0)).toMatchObject({ allowed: true, remaining: 0 });
    await pause(1_020);
    bucket.release("key", third);
    expect(await bucket.take("key", rule, 0)).toMatchObject({ allowed: true, remaining: 2 });
    await limits.close();
  });
});
