import { expect, it } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { drainMs, mailRoom, scriptedTransport } from "#test/support/mail/mail.ts";
import { expectFailsAlone, faultsOf, oldDeep, withoutText } from "#test/support/mail/too-complex.ts";
import { createComposer } from "../compose/compose-apart.ts";
import { findEmail } from "../read/find-email.ts";
import { createSimulator } from "../simulator/simulator.ts";
import { createEmailSender } from "./create-email-sender.ts";
import { reviveEmails } from "./revive-emails.ts";

const app = await testApp();
const { ctx, tenant } = app;
const nested = (depth: number) => `${"<div>".repeat(depth)}x${"</div>".repeat(depth)}`;
it.each([
  ["501 elements in one another", nested(501), "parameter_invalid html"],
  ["501 elements that nobody closed, far into a long text", `${"<p>x</p>".repeat(100_000)}${"<b>".repeat(501)}`, "parameter_invalid html"],
  ["more than 2 MB", `<p>${"x".repeat(2 * 1024 * 1024)}</p>`, "parameter_invalid html"],
  ["more than 2 MB beyond ASCII", `<p>${"你".repeat(700_000)}</p>`, "parameter_invalid html"],
  ["500 elements in one another", nested(500), null],
  [
    "600 paragraphs, items and rows that nobody closed, as HTML allows",
    `<table>${"<tr><td>x".repeat(600)}</table><ul>${"<li>x".repeat(600)}</ul>${"<p>x".repeat(600)}`,
    null,
  ],
  ["600 shapes in a drawing, each closed by itself", `<svg>${'<path d="M0"/>'.repeat(600)}</svg>`, null],
  ["600 line breaks and pictures", `${"<br>".repeat(600)}${'<img src="cid:x">'.repeat(600)}`, null],
  [
    "600 tags in a comment, a script and an attribute",
    `<!--${"<b>".repeat(600)}--><script>${"<b>".repeat(600)}</script><p title="${"<b>".repeat(600)}">x</p>`,
    null,
  ],
])("accepts or refuses %s, as a single message and in a batch", async (_what, html, expected) => {
  expect(await faultsOf(app, html)).toEqual([expected, expected]);
});

it.each([withoutText])("fails one that was accepted before such rules, %s, with a code, and nothing else", (_how, features) =>
  expectFailsAlone(app, oldDeep, features),
);

it("fails one that takes longer to compose than allowed, and extends its lease until then", async () => {
  const shop = await tenant({ livemode: true });
  const transport = scriptedTransport();
  const room = mailRoom(ctx, transport);
  const { email } = await room.send(shop, { html: `<ul>${"<li>x".repeat(50_000)}`, text: null });
  const sender = createEmailSender({
    transports: { live: transport, test: createSimulator() },
    drainMs,
    compose: createComposer({ limitMs: 5 }),
  });
  await sender.run(ctx);
  // Another process finds nothing to take up while it is being composed.
  expect(await reviveEmails(ctx)).toBe(0);
  for (let rounds = 0; rounds < 400 && (await room.status(shop, email.id)) === "sending"; rounds += 1) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    await sender.run(ctx);
  }
  await sender.finish(ctx);
  expect((await findEmail(ctx, shop, email.id)).email).toMatchObject({ status: "failed", error: { code: "content_too_complex" } });
  expect(transport.emails).toEqual([]);
});
