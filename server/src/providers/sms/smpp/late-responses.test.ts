import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { OutgoingSms } from "#sms/index.ts";
import { carry, patient, sms } from "#test/support/smpp/carried.ts";
import { ids, startRawSmsc } from "#test/support/smpp/raw-smsc.ts";
import { eventually } from "#test/support/time/eventually.ts";
import type { SmppTransport } from "./create-smpp-transport.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Sends a message that gets no response, and forgets it. */
async function sendInVain(transport: SmppTransport): Promise<WeakRef<OutgoingSms>> {
  const message = sms("+15551230001", "Your code is 424242.");
  expect(await transport.send(message, patient)).toMatchObject({ result: "unknown" });
  return new WeakRef(message);
}

test("while a response may still arrive late, the message and its text aren't kept in memory", async () => {
  const smsc = await startRawSmsc(({ id }) => id === ids.submit);
  const { transport, up } = carry(`smpp://acme:s3cr3t@127.0.0.1:${smsc.port}?name=main`, { responseMs: 50 });
  try {
    await up();
    const sent = await sendInVain(transport);
    await eventually("it is collected", () => {
      collect();
      return sent.deref() === undefined;
    });
  } finally {
    await transport.close();
    await smsc.stop();
  }
});
