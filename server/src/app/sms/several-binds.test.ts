import type { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { changeMerchant } from "#identity/index.ts";
import { assignNumber } from "#numbers/index.ts";
import { createSmsIntake, type SmsTransport, smsTasks } from "#sms/index.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { buildDeliver } from "#test/support/smpp/build-pdu.ts";
import { ids, messageId, type ReceivedPdu, startRawSmsc } from "#test/support/smpp/raw-smsc.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { readSettings } from "../config.ts";
import { listSmsRoutes, openSms } from "./open-sms.ts";

const number = "+14155552670";
const accepts = 0;
const throttles = 0x58;
const isBusy = 0x64;
const refusesBind = 0x0d;
/** Each bind's own name, which it sends as its system_type. */
const bound: { systemId: string; name: string; socket: Socket }[] = [];
/** What the carrier does before it responds to a message, and the response; accepted if there is none. */
let submitted: (pdu: ReceivedPdu, id: string) => unknown = () => accepts;
let refused: string | null = null;
let count = 0;
const smsc = await startRawSmsc((pdu) => {
  if (pdu.id === ids.bind) {
    const [systemId = "", , name = ""] = pdu.body.toString("latin1").split("\0");
    if (name === refused) return pdu.answer(refusesBind);
    bound.push({ systemId, name, socket: pdu.socket });
  }
  if (pdu.id !== ids.submit) return false;
  const id = `m${(count += 1)}`;
  void Promise.resolve(submitted(pdu, id)).then((status) => pdu.answer(typeof status === "number" ? status : accepts, messageId(id)));
  return true;
});
// One account with two connections, the host written in two ways, and another account at the same host.
const settings = readSettings({
  SMPP_BINDS: [
    `smpp://acme:s3cr3t@localhost:${smsc.port}?name=one&system_type=one`,
    `smpp://acme:s3cr3t@LOCALHOST:${smsc.port}?name=two&system_type=two`,
    `smpp://other:s3cr3t@localhost:${smsc.port}?name=foreign&countries=44`,
  ].join(","),
});
const app = await testApp({ sms: { routes: listSmsRoutes(settings) } });
const { ctx, clock } = app;
let shop: TestTenant;
let transports: SmsTransport[];

beforeAll(async () => {
  shop = await app.tenant({ livemode: true });
  await changeMerchant(ctx, { merchant_id: shop.merchant_id, if_version: null, country: "US" });
  await assignNumber(ctx, { project_id: shop.project_id, value: number, channels: ["sms"] });
  await connect();
  await eventually("all are bound", () => bound.length === 3);
});
afterAll(async () => {
  await Promise.all(transports.map((transport) => transport.close()));
  await smsc.stop();
});

async function connect(): Promise<void> {
  bound.length = 0;
  transports = await openSms({ ctx, settings, intake: createSmsIntake(ctx) });
}

const api = () => app.api(shop.key);
const find = async (id: string) => (await api().get(`/v1/sms/${id}`)).body;
let recipients = 0;
const someone = () => `+1415555${3000 + (recipients += 1)}`;

async function work(): Promise<void> {
  const tasks = smsTasks(transports);
  for (const name of ["release_sms", "send_sms", "match_early_sms_receipts"]) await tasks.find((task) => task.name === name)?.run(ctx);
  for (const task of tasks) await task.finish?.(ctx);
}

async function sent(text = "Your order is on its way."): Promise<{ id: string; provider: string; status: string }> {
  // Ten requests a minute are allowed, and how many are sent differs from run to run.
  clock.advance(6_000);
  const { body } = await api().post("/v1/sms", { from: number, to: someone(), body: text });
  await work();
  return find(body.id);
}

/** The other connection of the same account, or the one of the other account. */
function otherThan(socket: Socket, systemId = "acme"): Socket {
  const other = bound.find((one) => one.systemId === systemId && one.socket !== socket);
  if (other === undefined) throw new Error(`${systemId} has no other connection`);
  return other.socket;
}

let sequence = 100;
/** Delivers it on one connection, and waits until it is acknowledged. */
async function deliver(socket: Socket, fields: Parameters<typeof buildDeliver>[0]): Promise<void> {
  sequence += 1;
  const own = sequence;
  socket.write(buildDeliver(fields, own));
  const answer = () => smsc.received.find((pdu) => pdu.id === 0x80000005 && pdu.sequence === own && pdu.socket === socket);
  await eventually("it is acknowledged", () => answer() !== undefined);
  expect(answer()?.status).toBe(0);
}

const receiptFor = (id: string) => ({ esm_class: 0x04, short_message: `id:${id} stat:DELIVRD` });

describe("a carrier with several connections to one account", () => {
  test("may report a message on a connection that didn't send it, and only on one of the account", async () => {
    const from = new Map<string, Socket>();
    submitted = ({ socket }, id) => from.set(id, socket);
    const messages: { id: string; reported: string }[] = [];
    const used = new Set<string>();
    // Which of the two sends a message depends on its id.
    while (messages.length < 3 || (used.size < 2 && messages.length < 40)) {
      const message = { ...(await sent()), reported: `m${count}` };
      messages.push(message);
      used.add(message.provider);
    }
    expect(used).toEqual(new Set(["smpp:one", "smpp:two"]));
    for (const { id, reported } of messages) {
      const socket = from.get(reported) as Socket;
      await deliver(otherThan(socket, "other"), receiptFor(reported));
      expect((await find(id)).status).toBe("sent");
      await deliver(otherThan(socket), receiptFor(reported));
      expect((await find(id)).status).toBe("delivered");
    }
  });

  test("may report it there before it responds to the submission", async () => {
    submitted = ({ socket }, id) => deliver(otherThan(socket), receiptFor(id));
    expect((await sent()).provider).toMatch(/^smpp:/);
    submitted = () => accepts;
    const { data } = (await api().get("/v1/sms?direction=outbound&limit=1")).body;
    expect(data).toMatchObject([{ status: "delivered", error: null }]);
  });

  test("may spread the parts of a reply over them, repeat some, and the reply arrives once and whole", async () => {
    const from = someone();
    const [one, two] = bound.filter(({ systemId }) => systemId === "acme").map(({ socket }) => socket) as [Socket, Socket];
    const part = (index: number, text: string) => ({
      ...{ source_addr_ton: 1, source_addr: from.slice(1), dest_addr_ton: 1, destination_addr: number.slice(1) },
      ...{ esm_class: 0x40, short_message: { hex: `0500032a030${index}${Buffer.from(text).toString("hex")}` } },
    });
    await deliver(otherThan(one, "other"), part(2, "of a stranger "));
    await deliver(one, part(1, "I will come "));
    await deliver(two, part(1, "I will come "));
    await deliver(two, part(2, "and fetch it "));
    const received = async () => (await api().get(`/v1/sms?direction=inbound&from=${encodeURIComponent(from)}`)).body.data;
    expect(await received()).toEqual([]);
    await deliver(one, part(3, "today"));
    const [reply] = await received();
    expect((await find(reply?.id)).body).toBe("I will come and fetch it today");
    await deliver(two, part(3, "today"));
    expect(await received()).toHaveLength(1);
  });
});

test("a message that one bind can't take right now is tried over the other one next", async () => {
  submitted = () => isBusy;
  const { id, provider, status } = await sent();
  clock.advance(10_000);
  await work();
  const retried = await find(id);
  expect([status, retried.status, [provider, retried.provider].toSorted()]).toEqual(["queued", "queued", ["smpp:one", "smpp:two"]]);
  submitted = () => accepts;
  clock.advance(30_000);
  await work();
  expect((await find(id)).status).toBe("sent");
});

test("the rest of a partly sent message waits for the bind that has its first parts, also after a restart", async () => {
  let parts = 0;
  submitted = () => ((parts += 1) === 1 ? accepts : throttles);
  const { id, provider, status } = await sent("a".repeat(400));
  expect([status, (await find(id)).segments_sent]).toEqual(["queued", 1]);
  await Promise.all(transports.map((transport) => transport.close()));

  const used = new Set<string | undefined>();
  submitted = ({ socket }) => used.add(bound.find((one) => one.socket === socket)?.name);
  const name = provider.replace("smpp:", "");
  refused = name;
  await connect();
  await eventually("the others are bound", () => bound.length === 2);
  clock.advance(60_000);
  await work();
  expect([await find(id), used]).toMatchObject([{ status: "queued", segments_sent: 1, provider }, new Set()]);

  refused = null;
  await eventually("it is bound again", () => bound.length === 3);
  clock.advance(60_000);
  await work();
  expect([await find(id), used]).toMatchObject([{ status: "sent", segments_sent: 3, provider }, new Set([name])]);
});
