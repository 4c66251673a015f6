import { afterEach, describe, expect, test } from "vitest";
import { certificate } from "#test/support/network/certificate.ts";
import { buildDeliver, buildPdu } from "#test/support/smpp/build-pdu.ts";
import { carry, patient, sms } from "#test/support/smpp/carried.ts";
import { ids, messageId, type PduHandler, startRawSmsc } from "#test/support/smpp/raw-smsc.ts";
import { receiptOf } from "#test/support/smpp/receipts.ts";
import { eventually, turns } from "#test/support/time/eventually.ts";
import { tryBind } from "./bind/try-bind.ts";
import { readBinds } from "./settings/read-binds.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

type Limits = Parameters<typeof carry>[1];

async function carrier(onPdu?: PduHandler, given: { limits?: Limits; query?: string } = {}) {
  const smsc = await startRawSmsc(onPdu);
  const carried = carry(`smpp://acme:s3cr3t@127.0.0.1:${smsc.port}?name=main&tps=10000&${given.query ?? "window=10"}`, given.limits);
  ends.push(
    () => carried.transport.close(),
    () => smsc.stop(),
  );
  await carried.up();
  return { smsc, ...carried };
}

const to = "+15551230001";
const receipt = receiptOf({ short_message: "id:a1 stat:DELIVRD done date:2611241031" });

describe("a connection ends and is opened again", () => {
  test.each<[string, Buffer]>([
    ["after a length that is none", Buffer.from("00000003000000150000000000000001", "hex")],
    ["after a length beyond all", Buffer.from("7fffffff000000150000000000000001", "hex")],
  ])("%s", async (_what, bytes) => {
    const { smsc, changes, up } = await carrier();
    smsc.say(bytes);
    await eventually("it bound again", () => smsc.connections() === 2);
    await up();
    expect(changes.join("; ")).toContain("bytes was announced");
  });

  test("when two keep-alives got no response, and what waited is unknown", async () => {
    let isDeaf = true;
    const { smsc, transport, changes } = await carrier((pdu) => isDeaf && pdu.id !== ids.bind, { limits: { enquireMs: 30 } });
    const outcome = await transport.send(sms(to, "Hi"), patient);
    isDeaf = false;
    expect(outcome).toMatchObject({ result: "unknown", sent: [] });
    await eventually("it bound again", () => smsc.connections() === 2);
    expect(changes).toContain("main down: 2 enquire_links went unanswered");
    expect(smsc.received.filter(({ id }) => id === ids.enquire).length).toBeGreaterThanOrEqual(2);
  });

  test("when the carrier unbinds, which gets a response", async () => {
    const { smsc } = await carrier();
    smsc.say(buildPdu(ids.unbind, [0, 9]));
    await eventually("it bound again", () => smsc.connections() === 2);
    expect(smsc.received.some(({ id, sequence }) => id === 0x80000006 && sequence === 9)).toBe(true);
  });

  test("when the carrier doesn't know the bind any more, and the message is tried again", async () => {
    let isLost = true;
    const { smsc, transport } = await carrier((pdu) => {
      if (pdu.id !== ids.submit || !isLost) return false;
      isLost = false;
      pdu.answer(0x04);
      return true;
    });
    expect(await transport.send(sms(to, "Hi"), patient)).toMatchObject({
      result: "deferred",
      code: "provider_error",
      provider_code: "0x00000004",
    });
    await eventually("it bound again", () => smsc.connections() === 2);
  });

  test("when no response to the bind arrives in time", async () => {
    let binds = 0;
    const { changes } = await carrier(({ id }) => id === ids.bind && (binds += 1) === 1, { limits: { bindMs: 50 } });
    expect(changes[0]).toBe("main down: no response to the bind");
  });
});

test("a PDU that can't be read is refused permanently, and the connection continues", async () => {
  const { smsc, receipts } = await carrier();
  smsc.say(buildPdu(ids.deliver, [0, 7], Buffer.alloc(3, 1)));
  smsc.say(buildPdu(ids.deliver, [0, 8], Buffer.alloc(60_000)));
  smsc.say(buildPdu(0x7777, [0, 9], Buffer.alloc(3)));
  smsc.say(buildDeliver(receipt, 10));
  const answers = () =>
    smsc.received.filter(({ id }) => id === 0x80000005 || id === ids.nack).map(({ sequence, status }) => [sequence, status]);
  await eventually("all were answered", () => answers().length === 4);
  expect(answers()).toEqual(
    expect.arrayContaining([
      [7, 0x65],
      [8, 0x65],
      [9, 0x03],
      [10, 0],
    ]),
  );
  expect([receipts.length, smsc.connections()]).toEqual([1, 1]);
});

test("of what a carrier sends at once, as much is accepted as is being stored, and the rest is requested again", async () => {
  const { smsc, receipts, holdUp } = await carrier();
  const goOn = holdUp();
  const [many, most] = [250, 200];
  smsc.say(Buffer.concat(Array.from({ length: many }, (_, index) => buildDeliver(receipt, 100 + index))));
  const answers = () => smsc.received.filter(({ id }) => id === 0x80000005).map(({ status }) => status);
  await eventually("what is too much was answered", () => answers().length === many - most);
  expect([new Set(answers()), receipts]).toEqual([new Set([0x14]), []]);
  goOn();
  await eventually("all were answered", () => answers().length === many);
  expect(answers().slice(many - most)).toEqual(Array(most).fill(0));
  expect(receipts).toHaveLength(most);
});

test("it is open while a bind is up that hasn't requested a slower pace", async () => {
  const smsc = await startRawSmsc((pdu) => pdu.id === ids.submit && pdu.answer(0x58));
  const { transport, up, advance } = carry(`smpp://acme:s3cr3t@127.0.0.1:${smsc.port}?name=main`);
  ends.push(
    () => transport.close(),
    () => smsc.stop(),
  );
  const seen = [transport.isOpen?.()];
  await up();
  seen.push(transport.isOpen?.());
  await transport.send(sms(to, "Hi"), patient);
  seen.push(transport.isOpen?.());
  advance(120_000);
  seen.push(transport.isOpen?.());
  expect(seen).toEqual([false, true, false, true]);
});

test("as many submits wait for their responses concurrently as the window has places, and every response finds its own", async () => {
  const held: (() => unknown)[] = [];
  let most = 0;
  const { transport } = await carrier(
    (pdu) => {
      if (pdu.id !== ids.submit) return false;
      held.push(() => pdu.answer(0, messageId(`of ${pdu.body.subarray(-2)}`)));
      most = Math.max(most, held.length);
      return true;
    },
    { query: "window=3" },
  );
  const sends = Array.from({ length: 9 }, (_, index) => transport.send(sms(`+1555123000${index}`, `m${index}`), patient));
  let answered = 0;
  await eventually("all were answered", async () => {
    expect(transport.binds()[0]?.inUse).toBeLessThanOrEqual(3);
    if (held.length < 3 && answered + held.length < 9) return false;
    for (const answer of held.splice(0).toReversed()) {
      answer();
      answered += 1;
    }
    return answered === 9;
  });
  expect((await Promise.all(sends)).map(({ sent }) => sent[0]?.provider_message_id)).toEqual(
    Array.from({ length: 9 }, (_, index) => `of m${index}`),
  );
  expect(most).toBe(3);
});

describe("nothing is submitted", () => {
  test("when the message's own time is over before its turn, and it counts as no attempt", async () => {
    const { smsc, transport } = await carrier(({ id }) => id === ids.submit, { query: "window=1" });
    const first = transport.send(sms(to, "first"), patient);
    await eventually("the window is full", () => transport.binds()[0]?.inUse === 1);
    const leaving = new AbortController();
    const second = transport.send(sms(to, "second"), leaving.signal);
    await turns();
    leaving.abort();
    expect(await second).toMatchObject({ result: "held", sent: [] });
    expect(smsc.submits()).toHaveLength(1);
    await transport.close();
    expect(await first).toMatchObject({ result: "unknown" });
  });

  test("when it waited in vain for a place", async () => {
    const { smsc, transport } = await carrier(({ id }) => id === ids.submit, { query: "window=1", limits: { timeoutMs: 30 } });
    void transport.send(sms(to, "first"), patient);
    await eventually("the window is full", () => transport.binds()[0]?.inUse === 1);
    expect(await transport.send(sms(to, "second"), patient)).toMatchObject({ result: "held", reason: "main has no free slot" });
    expect(smsc.submits()).toHaveLength(1);
  });

  test.each([
    ["of a sender that no address field holds", { from: { value: "Käse", kind: "alphanumeric" as const } }, "carrier_rejected"],
    ["to what is no number", { to: "+1555x" }, "invalid_number"],
    ["whose time is over", { expires_at: new Date(0) }, "expired"],
  ])("%s", async (_what, more, code) => {
    const { smsc, transport } = await carrier();
    expect(await transport.send(sms(to, "Hi", more), patient)).toMatchObject({ result: "refused", code, sent: [] });
    expect(smsc.submits()).toEqual([]);
  });

  test("to a country that no bind carries to", async () => {
    const { transport } = await carrier(undefined, { query: "countries=86" });
    expect([transport.takes({ to: "+8613800138000", country: "CN" }), transport.takes({ to, country: "US" })]).toEqual([true, false]);
    expect(await transport.send(sms(to, "Hi"), patient)).toMatchObject({ result: "refused", code: "no_route" });
  });
});

test("a message whose response is no longer waited for is unknown, and its place stays taken until the response", async () => {
  let late: (() => unknown) | null = null;
  const { transport, receipts } = await carrier((pdu) => {
    if (pdu.id !== ids.submit) return false;
    late = () => pdu.answer(0, messageId("late"));
    return true;
  });
  const leaving = new AbortController();
  const send = transport.send(sms(to, "Hi"), leaving.signal);
  await eventually("it was submitted", () => late !== null);
  leaving.abort();
  expect(await send).toMatchObject({ result: "unknown" });
  expect(transport.binds()[0]?.inUse).toBe(1);
  (late as (() => unknown) | null)?.();
  await eventually("its place is free", () => transport.binds()[0]?.inUse === 0);
  expect(receipts).toMatchObject([{ provider: "smpp:main", provider_message_id: "late", state: "accepted", message: { place: 0 } }]);
});

test("a response that arrives after its time tells which part the carrier has or refused, and frees no place twice", async () => {
  const held: ((status: number) => unknown)[] = [];
  const { transport, receipts, refusals, changes } = await carrier(
    (pdu) => {
      if (pdu.id !== ids.submit) return false;
      if (pdu.body.includes("long")) return pdu.answer(0, messageId("first"));
      held.push((status) => pdu.answer(status, messageId("late")));
      return true;
    },
    { limits: { responseMs: 300 } },
  );
  const [whole, refused] = [await transport.send(sms(to, "Hi"), patient), await transport.send(sms(to, "Hi"), patient)];
  expect([whole, refused]).toMatchObject([{ result: "unknown" }, { result: "unknown" }]);
  const body = `long ${"a".repeat(200)}`;
  expect(await transport.send(sms(to, body, { sms_id: "sms_long" }), patient)).toMatchObject({ result: "unknown", sent: [{ index: 0 }] });
  held[1]?.(0x0b);
  held[2]?.(0);
  await eventually("it was handed in", () => receipts.length > 0);
  const message = { project_id: "prj_1", livemode: true, id: "sms_long", place: 1 };
  const [provider, nothing] = ["smpp:main", { code: null, provider_code: null, occurred_at: null }];
  expect(receipts).toEqual([{ provider, provider_message_id: "late", state: "accepted", ...nothing, message }]);
  const part = { ...message, id: `sms_${to}`, place: 0 };
  expect(refusals).toMatchObject([{ provider, part, code: "invalid_number", provider_code: "0x0000000B" }]);
  expect([transport.binds()[0]?.inUse, changes.filter((one) => one === "main lost").length]).toEqual([0, 3]);
});

test("a bind over TLS only trusts certificates that it was given, except on this machine", async () => {
  const smsc = await startRawSmsc(undefined, await certificate());
  const address = `smpps://acme:s3cr3t@127.0.0.1:${smsc.port}?name=main`;
  const trusting = carry(address);
  const wary = carry(address, {}, { ca: [] });
  ends.push(
    () => trusting.transport.close(),
    () => wary.transport.close(),
    () => smsc.stop(),
  );
  await trusting.up();
  expect(await trusting.transport.send(sms(to, "Hi"), patient)).toMatchObject({ result: "accepted" });
  await eventually("it was refused", () => wary.changes.length > 0);
  expect(wary.changes[0]).toMatch(/^main down: .*certificate/i);
});

describe("trying a bind reports", () => {
  test.each([
    ["that the carrier takes us in", 0x00, { state: "bound" }],
    ["that the carrier has us already", 0x05, { state: "already_bound" }],
    ["that the password is wrong", 0x0e, { state: "refused", reason: "it doesn't accept the password (0x0000000E)" }],
    ["what nobody has words for", 0xff, { state: "refused", reason: "the bind was refused with 0x000000FF" }],
  ])("%s", async (_what, status, tried) => {
    const smsc = await startRawSmsc((pdu) => pdu.id === ids.bind && pdu.answer(status, status === 0 ? messageId("x") : undefined));
    ends.push(() => smsc.stop());
    const [bind] = readBinds(`smpp://acme:s3cr3t@127.0.0.1:${smsc.port}`);
    expect(await tryBind(bind!, 60_000)).toEqual(tried);
  });

  test("that nothing listens there", async () => {
    const smsc = await startRawSmsc();
    await smsc.stop();
    const [bind] = readBinds(`smpp://acme:s3cr3t@127.0.0.1:${smsc.port}`);
    expect(await tryBind(bind!, 60_000)).toMatchObject({ state: "refused", reason: expect.stringContaining("ECONNREFUSED") });
  });

  test("and tells the carrier to send later what it sends during that time", async () => {
    const smsc = await startRawSmsc((pdu) => {
      if (pdu.id !== ids.bind) return false;
      pdu.answer(0, messageId("x"));
      pdu.socket.write(buildDeliver(receipt, 5));
      return true;
    });
    ends.push(() => smsc.stop());
    await tryBind(readBinds(`smpp://acme:s3cr3t@127.0.0.1:${smsc.port}`)[0]!, 60_000);
    await eventually("it was answered", () => smsc.received.some(({ id, status }) => id === 0x80000005 && status === 0x64));
  });
});
