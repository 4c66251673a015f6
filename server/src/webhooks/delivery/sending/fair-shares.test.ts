import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { emitSome, endpointAt, reportTo } from "#test/support/webhooks/webhook-world.ts";
import { createSender, fanOut } from "../../index.ts";
import { lockDueEndpoints } from "./claim.sql.ts";

/** Each request begins with one. */
const lookups: string[] = [];
const resolve = async (host: string) => {
  lookups.push(host);
  return [{ address: "127.0.0.1", family: 4 as const }];
};
const egress = await localEgress({ resolve });
const { ctx, tenant: createTenant } = await testApp({ egress, startsAt: new Date().toISOString() });

test("a project whose many receivers hang uses half of a process's requests, and another's delivery goes out with the next claim", async () => {
  const [busy, other] = [await createTenant(), await createTenant()];
  const [hanging, shop] = [await receiver(() => {}), await receiver()];
  await endpointAt(ctx, other, shop.url);
  const port = new URL(hanging.url).port;
  const urls = Array.from({ length: 70 }, (_, n) => Array(5).fill(`https://host-${n}.receiver.example:${port}/`)).flat();
  await reportTo(ctx, busy, ...urls);
  while ((await fanOut(ctx)) > 0);
  const sender = createSender();
  // More claims than it takes to use every request that there is.
  for (let n = 0; n < 6; n += 1) await sender.run(ctx);
  await emitSome(ctx, other);
  while ((await fanOut(ctx)) > 0);
  await sender.run(ctx);
  await shop.until(1);
  // Five requests to each of 52 receivers: half of 512, rounded up. On a busy machine, some end before they arrive.
  await eventually(
    () => `only ${lookups.length} of 260 requests were made`,
    () => lookups.length >= 260,
  );
  await hanging.close();
  await sender.finish(ctx);
  expect([lookups.length, new Set(lookups).size]).toEqual([260, 52]);
});

test("projects take turns in a claim, however many endpoints one of them has", async () => {
  const [busy, other] = [await createTenant(), await createTenant()];
  await reportTo(ctx, busy, ...Array.from({ length: 30 }, (_, n) => `https://host-${n}.receiver.example/`));
  await endpointAt(ctx, other, "https://127.0.0.1:1/");
  await emitSome(ctx, other);
  while ((await fanOut(ctx)) > 0);
  for (let claim = 0; claim < 5; claim += 1) {
    const found = await ctx.transact((tx) => lockDueEndpoints(tx, { limit: 3, staleAfterMs: 0, holder: "x", full: [] }));
    expect(found.map((one) => one.project_id)).toContain(other.project_id);
  }
});
