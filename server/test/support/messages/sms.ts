import { listEventsOf } from "#events/sql.ts";
import { changeMerchant } from "#identity/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import { expireSms } from "#sms/change/expire-sms.ts";
import { releaseScheduled } from "#sms/change/release-scheduled.ts";
import { createSms, findSms, type SmsInput } from "#sms/index.ts";
import { retryEarlyReceipts, settleSent } from "#sms/receipts/take-receipt.ts";
import { createSmsSender } from "#sms/sending/create-sms-sender.ts";
import { reviveSms } from "#sms/sending/revive-sms.ts";
import type { SmsSettings } from "#sms/settings.ts";
import type { SmsRow } from "#sms/shapes.ts";
import { playSmsFollowUps } from "#sms/simulator/play-follow-ups.ts";
import type { OutgoingSms, SmsOutcome, SmsTransport } from "#sms/transport.ts";
import type { TestApp, TestTenant } from "#test/support/app/test-app.ts";

/** A carrier that responds as a test specifies and remembers what it was given. */
export interface ScriptedCarrier extends SmsTransport {
  taken: OutgoingSms[];
  /** How the next sends end; without one, every part is accepted. */
  answer: (sms: OutgoingSms, signal: AbortSignal) => SmsOutcome | Promise<SmsOutcome>;
}

/** Every part from the first wanted one on, under ids made of the message and the part. */
export function accepted(sms: OutgoingSms, provider = "carrier"): SmsOutcome {
  const sent = sms.parts
    .slice(sms.firstPart)
    .map((_part, at) => ({ index: sms.firstPart + at, provider_message_id: idOf(sms.sms_id, sms.firstPart + at) }));
  return { provider, sent, result: "accepted" };
}

/** The id that `accepted` gives a part. */
export function idOf(smsId: string, index = 0): string {
  return `${smsId}:${index}`;
}

export function scriptedCarrier({
  name = "carrier",
  countries,
  share = 1,
}: {
  name?: string;
  countries?: readonly string[];
  share?: number;
} = {}): ScriptedCarrier {
  const carrier: ScriptedCarrier = {
    name,
    concurrency: 10,
    taken: [],
    takes: ({ country }) => countries === undefined || countries.includes(country),
    share: () => share,
    answer: (sms) => accepted(sms, name),
    async send(sms, signal) {
      carrier.taken.push(sms);
      return carrier.answer(sms, signal);
    },
    close: async () => {},
  };
  return carrier;
}

/** Settings with which a project may send from any number, and has every number that begins with its own digits. */
export function openSms(carriers: readonly SmsTransport[], owners = new Map<string, Tenant>()): SmsSettings {
  return {
    routes: carriers,
    senders: {
      mayUse: async (_db, _tenant, { sender }) => sender.value !== "SOMEBODY",
      findUsual: async () => ({ value: "+14155550100", kind: "number" }),
      findOwner: async (_db, number) => owners.get(number) ?? null,
    },
  };
}

/** A LIVE project whose merchant's home country is `country`, which it may send to. */
export async function liveShop(app: TestApp, country = "US"): Promise<TestTenant> {
  const shop = await app.tenant({ livemode: true });
  await changeMerchant(app.ctx, { merchant_id: shop.merchant_id, if_version: null, country });
  return shop;
}

/** All work of SMS over one database, step by step. */
export interface SmsRoom {
  send(tenant: Tenant, given?: Partial<SmsInput>): Promise<SmsRow>;
  /** Runs every task until nothing is due now. */
  settle(): Promise<void>;
  find(tenant: Tenant, id: string): Promise<SmsRow>;
  /** Names of a message's events, oldest first, without `sms.`. */
  eventsOf(tenant: Tenant, id: string): Promise<string[]>;
  /** The data of a message's events, oldest first. */
  data(tenant: Tenant, id: string): Promise<Record<string, unknown>[]>;
}

export function smsRoom(ctx: Ctx, carriers: readonly ScriptedCarrier[] = []): SmsRoom {
  const events = async (tenant: Tenant, id: string) =>
    (await listEventsOf(ctx.db, tenant, { object_id: id, after: null, limit: 1000 })).reverse();
  const takenBy = () => carriers.reduce((sum, { taken }) => sum + taken.length, 0);
  return {
    send: (tenant, given) =>
      createSms(ctx, tenant, { tier: "pro", sms: { to: "+14155552671", body: "Your order is on its way.", ...given } }),
    async settle() {
      for (let idle = false; !idle; ) {
        const before = takenBy();
        let done = (await releaseScheduled(ctx)) + (await reviveSms(ctx)) + (await playSmsFollowUps(ctx));
        done += (await expireSms(ctx)) + (await settleSent(ctx)) + (await retryEarlyReceipts(ctx));
        const sender = createSmsSender({ transports: carriers, drainMs: 60_000, aloneAfterMs: 0 });
        await sender.run(ctx);
        await sender.finish(ctx);
        idle = done === 0 && takenBy() === before;
      }
    },
    find: async (tenant, id) => (await findSms(ctx, tenant, id)).sms,
    eventsOf: async (tenant, id) => (await events(tenant, id)).map((row) => row.event.replace("sms.", "")),
    data: async (tenant, id) =>
      (await events(tenant, id)).map((row) => (JSON.parse(row.body.toString()) as { data: Record<string, unknown> }).data),
  };
}
