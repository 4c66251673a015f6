import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { PayPageApp } from "#test/support/payments/pay-page-app.ts";
import { photo } from "#test/support/pictures/pictures.ts";
import { stepUntil } from "#test/support/time/eventually.ts";

/** Limits of a link that a test soon reaches. */
export const nearLimits = { perMinuteLinkReads: 60, perHourLinkProofs: 1 };

const isStored = (page: Page, token: string) =>
  page.evaluate(`new Promise((done) => {
    indexedDB.open("tillpost", 1).onsuccess = ({ target }) => {
      const found = target.result.transaction("outbox").objectStore("outbox").get("${token}");
      found.onsuccess = () => done(found.result !== undefined);
    };
  })`);

/** Reports the payment and fills in its proof, without sending it. */
export async function fillProof(page: Page): Promise<void> {
  await page.getByRole("button", { name: "I have paid" }).click();
  await page
    .getByLabel("Screenshot of the payment")
    .setInputFiles({ name: "proof.jpg", mimeType: "image/jpeg", buffer: await photo(400, 801) });
  await page.getByLabel("Last 4 digits").fill("4821");
}

/** A proof that the server refuses for now is kept on the buyer's device, and arrives once. */
export async function expectProofKept({ at, paying, vouchersOf }: PayPageApp, line: "online" | "offline"): Promise<void> {
  const { page, order, token } = await paying();
  await fillProof(page);
  const limited = async () => (await at.api(null).post(`/api/public/pay/${token}/voucher`, {})).status === 429;
  await stepUntil("the server refuses more proofs", { holds: limited, step: () => {} });
  const refused = page.waitForResponse((response) => response.url().includes("/voucher") && response.status() === 429);
  await page.context().setOffline(line === "offline");
  await page.getByRole("button", { name: "Send proof" }).click();
  await page.locator("#kept").waitFor();
  await page.context().setOffline(false);
  await refused;
  await page.locator("#kept").getByText("Too many attempts for now.").waitFor();
  expect([await isStored(page, token), (await vouchersOf(order)).length]).toEqual([true, 0]);
  at.clock.advance(3_601_000);
  await page.reload();
  await page.getByText("Proof received").waitFor();
  expect(await vouchersOf(order)).toMatchObject([{ transaction_reference: "4821", asset_id: expect.stringMatching(/^ast_/) }]);
  expect(await isStored(page, token)).toBe(false);
}
