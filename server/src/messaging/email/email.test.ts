import { expect, it } from "vitest";
import { listEventsOf } from "#events/index.ts";
import { house } from "#test/house.ts";
import { createEmail } from "./accept/create-email.ts";
import { findEmail } from "./read/find-email.ts";
import { createEmailSender } from "./sending/create-email-sender.ts";
import { createSimulator } from "./simulator/simulator.ts";

const { ctx, tenant } = await house();

it("delivers a TEST message and tells each step of it once", async () => {
  const shop = await tenant();
  const sender = createEmailSender({ transports: { live: createSimulator(), test: createSimulator() } });
  const { email } = await createEmail(ctx, shop, { tier: "pro", email: { from: "Acme <a@acme.com>", to: "ada@lovelace.org", subject: "Hi", html: "<p>Hi</p>" } });
  expect(email.status).toBe("queued");
  await sender.run(ctx);
  await sender.finish(ctx);
  const found = await findEmail(ctx, shop, email.id);
  expect(found.email).toMatchObject({ status: "delivered", last_event: "delivered", sequence: 2, provider: "simulator" });
  const events = await listEventsOf(ctx.db, shop, { object_id: email.id, after: null, limit: 10 });
  expect(events.map((row) => row.event)).toEqual(["email.delivered", "email.queued"]);
});
