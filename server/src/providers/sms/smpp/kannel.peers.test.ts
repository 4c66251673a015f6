import { afterAll, beforeAll, expect, test } from "vitest";
import type { OutgoingSms } from "#sms/index.ts";
import { type Carried, carry, patient, sms } from "#test/support/smpp/carried.ts";
import { comparableSubmit } from "#test/support/smpp/comparable.ts";
import { startKannel } from "#test/support/smpp/kannel.ts";
import { startRawSmsc } from "#test/support/smpp/raw-smsc.ts";
import { eventually } from "#test/support/time/eventually.ts";

let [theirs, ours]: Awaited<ReturnType<typeof startRawSmsc>>[] = [];
let kannel: Awaited<ReturnType<typeof startKannel>>;
let carried: Carried;

beforeAll(async () => {
  [theirs, ours] = [await startRawSmsc(), await startRawSmsc()];
  kannel = await startKannel(theirs.port);
  // Kannel has one numbering plan for all senders except names.
  carried = carry(`smpp://tillpost:s3cr3t@127.0.0.1:${ours.port}?name=main&tps=10000&short_code_npi=1`);
  await carried.up();
}, 300_000);
afterAll(async () => {
  await carried?.transport.close();
  await kannel?.stop();
  await theirs?.stop();
  await ours?.stop();
});

const to = "+15551230001";
const number: OutgoingSms["from"] = { value: "+15550100", kind: "number" };
const name: OutgoingSms["from"] = { value: "ACME Shop", kind: "alphanumeric" };
const shortCode: OutgoingSms["from"] = { value: "72345", kind: "short_code" };
const alphabet =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";

test.each<[string, string, OutgoingSms["from"], number]>([
  ["a short text", "Your code is 424242", number, 1],
  ["a text of a name", "Hello", name, 1],
  ["a text of a short code", "Hello", shortCode, 1],
  ["the whole default alphabet", alphabet, number, 1],
  ["the extension characters", "{[~]} | ^ \\ €", number, 1],
  ["160 septets", "a".repeat(160), number, 1],
  ["161 septets", "a".repeat(161), number, 2],
  ["ten parts", "0123456789".repeat(150), number, 10],
  ["Chinese", "您的验证码是 424242，请勿告诉他人。", number, 1],
  ["Cyrillic in three parts", "Привет, мир! ".repeat(15), name, 3],
  ["emoji", "Done 😀👍", number, 1],
])("our submit_sm has the bytes of Kannel's for %s", async (_what, text, from, count) => {
  const [before, beforeOurs] = [theirs!.submits().length, ours!.submits().length];
  const isGsm = sms(to, text).parts[0]?.encoding === "GSM-7";
  const answer = await kannel.send({
    to,
    from: from.value,
    text,
    charset: "UTF-8",
    coding: isGsm ? "0" : "2",
    "dlr-mask": "3",
    "dlr-url": "http://127.0.0.1:1/",
  });
  expect(answer).toContain("Accepted");
  expect(await carried.transport.send(sms(to, text, { from }), patient)).toMatchObject({ result: "accepted" });
  await eventually("Kannel sent all parts", () => theirs!.submits().length === before + count);
  const bytes = (smsc: typeof theirs, since: number) =>
    smsc!
      .submits()
      .slice(since)
      .map(({ body }) => comparableSubmit(body));
  expect(bytes(ours, beforeOurs)).toEqual(bytes(theirs, before));
});
