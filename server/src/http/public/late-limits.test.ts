import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { createOrder } from "#orders/index.ts";
import { createMemoryLimits, type LimitStore } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { eventually } from "#test/support/time/eventually.ts";

const gate = Promise.withResolvers<void>();
let waiting = 0;

/** Like a shared store that is slow to respond: requests for links are only counted once the gate is open. */
function lateLimits(): LimitStore {
  const memory = createMemoryLimits();
  return {
    ...memory,
    bucket(name) {
      const bucket = memory.bucket(name);
      if (name !== "link address") return bucket;
      return {
        ...bucket,
        async take(...given) {
          waiting += 1;
          await gate.promise;
          return bucket.take(...given);
        },
      };
    },
  };
}

const streamsPerLink = 5;
const app = await testApp({ limits: lateLimits(), http: { streamsPerLink } });
const fastify = await app.server();
const origin = await fastify.listen({ port: 0, host: "127.0.0.1" });

test("streams whose clients leave before they are counted keep no places", async () => {
  const { link } = await createOrder(app.ctx, await app.tenant(), { amount_minor: 9900, currency: "CNY" });
  const url = `${origin}/api/public/pay/${link?.token}/events`;
  const replies: ServerResponse[] = [];
  fastify.server.on("request", (_request, reply) => replies.push(reply));
  const leaving = new AbortController();
  const left = Array.from({ length: streamsPerLink }, () => fetch(url, { signal: leaving.signal }).catch((error: Error) => error.name));
  await eventually("all are being counted", () => waiting === streamsPerLink);
  leaving.abort();
  expect(await Promise.all(left)).toEqual(Array(streamsPerLink).fill("AbortError"));
  await eventually("the server knows that they left", () => replies.every(({ closed }) => closed));
  gate.resolve();
  const stream = await fetch(url);
  expect(stream.status).toBe(200);
  await stream.body?.cancel();
});
