import { auditBooks } from "#orders/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { countOpenRecipients } from "#test/support/load/mail-kill.sql.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { countWaiting } from "#test/support/webhooks/webhooks.sql.ts";
import { countByStatus, countEvents, listEndpoints } from "./skewed.sql.ts";
import { checkLimit, checkPages, type Done, type Load, skewedLoad } from "./skewed-load.ts";
import { checkSignIns } from "./skewed-sign-in.ts";
import { linkReads, type SkewedWorld, skewedWorld } from "./skewed-world.ts";

export interface SkewReport {
  orders: number;
  mails: number;
  deliveries: number;
  refusals: number;
  faults: string[];
}

/** Runs a load on processes whose clocks are minutes apart, and returns everything that went wrong. */
export async function skewedProcesses(app: TestApp, load: Load): Promise<SkewReport> {
  const world = await skewedWorld(app, load);
  try {
    const [done] = await Promise.all([skewedLoad(world, load), checkSignIns(world)]);
    await checkPages(world, done, load.callers);
    await checkLimit(world, done.orders.at(-1)?.token ?? "", linkReads);
    await untilAllIsOut(world);
    checkDeliveries(world);
    checkMails(world, done);
    for (const fault of await auditBooks(app.ctx)) world.faults.add(JSON.stringify(fault));
    const deliveries = [...world.deliveries.values()];
    const refusals = deliveries.reduce((sum, { refused }) => sum + refused, 0);
    const report = {
      orders: done.orders.length,
      mails: world.peer.mails.length,
      deliveries: world.receiver.count(),
      refusals,
      faults: [...world.faults],
    };
    // Last, because it advances the clock that the others are compared with.
    return { ...report, faults: [...report.faults, ...(await faultsOfExpiry(world, done))] };
  } finally {
    await world.close();
  }
}

async function untilAllIsOut({ app, live }: SkewedWorld): Promise<void> {
  const endpoints = await listEndpoints(app.ctx.db);
  await eventually("every delivery has been taken", async () => (await countWaiting(app.ctx.db, endpoints)) === 0, { everyMs: 100 });
  await eventually("every mail has left", async () => (await countOpenRecipients(app.ctx.db, live)) === 0, { everyMs: 100 });
}

/** Nothing expires early; then everything does, once. */
async function faultsOfExpiry({ app }: SkewedWorld, { orders }: Done): Promise<string[]> {
  const owed = orders.filter(({ isPaid }) => !isPaid).length;
  const early = (await countByStatus(app.ctx.db, "expired")) + (await countByStatus(app.ctx.db, "failed"));
  app.clock.set(new Date(Date.now() + 301_000));
  await eventually("every order has expired", async () => (await countByStatus(app.ctx.db, "expired")) === owed, { everyMs: 50 });
  const expired = await countEvents(app.ctx.db, "order.expired");
  return [
    ...(early > 0 ? [`${early} of ${owed} orders expired early`] : []),
    ...(expired === owed ? [] : [`${owed} orders expired, and ${expired} events tell of it`]),
  ];
}

function checkDeliveries({ deliveries, faults }: SkewedWorld): void {
  const twice = [...deliveries.values()].filter(({ taken }) => taken > 1).length;
  const never = [...deliveries.values()].filter(({ taken }) => taken === 0).length;
  if (twice > 0) faults.add(`${twice} of ${deliveries.size} events came again without a refusal`);
  if (never > 0) faults.add(`${never} of ${deliveries.size} events were refused and never came again`);
}

function checkMails({ peer, faults }: SkewedWorld, { mails }: Done): void {
  const ids = new Set<string>();
  for (const { raw } of peer.mails) {
    const id = /^Message-ID: (.*)$/im.exec(raw.toString())?.[1] ?? "none";
    if (ids.has(id)) faults.add("a mail came twice");
    ids.add(id);
  }
  const readers = peer.mails.filter(({ to }) => to.some((one) => one.startsWith("reader-"))).length;
  if (readers !== mails) faults.add(`${readers} of ${mails} mails came`);
}
