import { expect, it } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { composeHere, drainMs, mailRoom, scriptedTransport, taken } from "#test/support/mail/mail.ts";
import { createSimulator } from "../simulator/simulator.ts";
import type { SendOutcome } from "../transport.ts";
import { createEmailSender } from "./create-email-sender.ts";

const { ctx, tenant } = await testApp();

it("sends one project's email while another's slow servers use all the slots that they can", async () => {
  const [slow, calm, third] = [await tenant({ livemode: true }), await tenant({ livemode: true }), await tenant({ livemode: true })];
  const transport = { ...scriptedTransport(20), reserved: 20 };
  const room = mailRoom(ctx, transport);
  const held: (() => void)[] = [];
  let inProgress = 0;
  transport.send = (outgoing) => {
    transport.emails.push(outgoing);
    if (outgoing.project_id !== slow.project_id) return Promise.resolve(taken);
    inProgress += 1;
    return new Promise<SendOutcome>((resolve) => held.push(() => resolve(taken)));
  };
  for (let count = 0; count < 60; count += 1) await room.send(slow, { to: `r${count}@tarpit${count % 30}.dev` });
  const sender = createEmailSender({ transports: { live: transport, test: createSimulator() }, compose: composeHere, drainMs });
  for (let round = 0; round < 8; round += 1) await sender.run(ctx);
  await expect.poll(() => inProgress).toBe(20);

  const sentOf = ({ project_id }: { project_id: string }) =>
    transport.emails.filter((outgoing) => outgoing.project_id === project_id).length;
  for (const shop of [calm, third]) {
    await room.send(shop, { to: ["one@tarpit3.dev", "two@swift.dev"] });
    await sender.run(ctx);
    await expect.poll(() => sentOf(shop)).toBe(2);
  }
  for (let count = 0; count < 20; count += 1) await room.send(calm, { to: `c${count}@swift${count % 7}.dev` });
  await expect
    .poll(async () => {
      await sender.run(ctx);
      return sentOf(calm);
    })
    .toBe(22);
  expect(inProgress).toBe(20);

  transport.send = async (outgoing) => {
    transport.emails.push(outgoing);
    return taken;
  };
  for (const release of held) release();
  await expect
    .poll(async () => {
      await sender.run(ctx);
      return sentOf(slow);
    })
    .toBe(60);
  await sender.finish(ctx);
});
