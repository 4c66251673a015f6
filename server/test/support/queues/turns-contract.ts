import { expect, it } from "vitest";
import { setMerchantSending } from "#identity/index.ts";
import type { Tenant } from "#platform/index.ts";
import { createProject } from "#projects/index.ts";
import type { TestTenant } from "#test/support/app/test-app.ts";
import { drain, type QueueUnderTest, releaseAll, worlds } from "./queue-hand.ts";

interface TurnsUnderTest extends QueueUnderTest {
  /** A project of a new merchant; one in LIVE also tests suspensions. */
  shop(): Promise<TestTenant>;
  livemode: boolean;
  /** Creates a job that is due now, and returns its name. */
  send(tenant: Tenant): Promise<string>;
}

/** How many partitions one look at the queue lists here. */
export const partitionsAtOnce = 6;
/** More than that. */
const many = 9;

/** Many projects of one merchant. */
async function openMany({ app, shop, livemode }: TurnsUnderTest): Promise<{ merchant_id: string; tenants: Tenant[] }> {
  const { merchant_id, ...first } = await shop();
  const tenants: Tenant[] = [first];
  for (let count = 1; count < many; count += 1) {
    const { id } = await createProject(app.ctx, { merchant_id, name: "Shop", slug: `turn-${count}`, default_currency: "CNY" });
    tenants.push({ project_id: id, livemode });
  }
  return { merchant_id, tenants };
}

/** What every queue whose partitions take turns must do. Needs its own app, because it moves the clock. */
export function turnsContract(given: TurnsUnderTest): void {
  const { app, shop, livemode, send, worker } = given;
  const { quiet, expireLease } = worlds(given);
  let opened: ReturnType<typeof openMany> | undefined;
  /** Sends one job in each of many projects of one merchant. */
  const sendMany = async () => {
    const { merchant_id, tenants } = await (opened ??= openMany(given));
    for (const tenant of tenants) await send(tenant);
    return merchant_id;
  };
  const claimAll = async () => {
    const [hand, jobs]: [ReturnType<typeof worker>, string[]] = [worker(), []];
    for (let held = await hand.claim(many); held.length > 0; held = await hand.claim(many)) jobs.push(...held);
    return jobs;
  };

  it("gives a project its turn, however many jobs before it run alone", async () => {
    quiet();
    await sendMany();
    for (let death = 0; death < 2; death += 1) {
      expect(await claimAll()).toHaveLength(many);
      await expireLease();
    }
    const job = await send(await shop());
    const hand = worker();
    expect(await hand.claim(many)).toEqual([job]);
    await hand.end([job]);
    await drain(hand);
    await releaseAll(given);
  });

  if (livemode)
    it("gives a project its turn, however many projects before it are suspended", async () => {
      const merchant_id = await sendMany();
      const job = await send(await shop());
      await setMerchantSending(app.ctx, { merchant_id, reason: "Complaints" });
      const hand = worker();
      expect(await hand.claim(many)).toEqual([job]);
      await hand.end([job]);
      await setMerchantSending(app.ctx, { merchant_id, reason: null });
      await drain(worker());
    });
}
