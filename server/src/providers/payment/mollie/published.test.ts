import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { received, simulatedWorld } from "#test/support/gateways/simulated/simulated-world.ts";
import { mollie } from "./adapter.ts";
import { mollieSimulator } from "./simulator.ts";

/** A callback, payments and a chargeback that Mollie published; the file names its pages. */
const published = JSON.parse(readFileSync(new URL("testing/published.json", import.meta.url), "utf8"));
const account = mollie.open({ api_key: "live_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM" }, { livemode: true });
const world = simulatedWorld();
const eur = (amount_minor: number) => ({ amount_minor, currency: "EUR" });

test("the callback causes a query about the payment that it names", async () => {
  const headers = { "Content-Type": "application/x-www-form-urlencoded", "User-Agent": "Mollie HTTP client/1.0" };
  const callback = received({ url: "https://shop.test/callbacks", headers, body: published.callback }, world.now());
  expect(await account.verify(world.call(mollieSimulator), callback)).toEqual({
    ok: true,
    dedupeKey: `tr_5B8cwPMGnU6qLbRvo7qEZo:${world.now().getTime()}`,
    event: "payment",
    report: { kind: "ask", about: { reference: null, providerId: "tr_5B8cwPMGnU6qLbRvo7qEZo" } },
    unproven: "tr_5B8cwPMGnU6qLbRvo7qEZo",
  });
});

describe("the query then reads", () => {
  const query = (payment: { id: string }, embedded: object = {}) =>
    account.query(
      { ...world.call(mollieSimulator), fetch: async () => Response.json({ ...payment, ...embedded }) },
      { reference: "ps_00000000000000000000000001", providerId: payment.id },
    );
  /** How Tillpost asks for payments: with their chargebacks. */
  const disputed = { _embedded: { chargebacks: [published.chargeback] } };

  test("the paid payment, which isn't ours", async () => {
    expect(await query(published.paid)).toEqual({
      reference: null,
      providerId: "tr_WSmqbH9dmk",
      captureId: null,
      state: "succeeded",
      asked: eur(1),
      paid: eur(1),
      refunded: eur(0),
      fee: null,
      paidAt: new Date("2022-01-17T16:02:19Z"),
      providerState: "paid",
      livemode: true,
      account: "pfl_zcfJRjkf6P",
      failure: null,
    });
  });

  test.each([
    ["expired", eur(5_900)],
    ["canceled", eur(8_500)],
  ])("the %s payment", async (state, asked) => {
    expect(await query(published[state])).toMatchObject({ providerId: published[state].id, state, asked, paid: null, paidAt: null });
  });

  test("our paid payment with the chargeback, in the currency of the chargeback", async () => {
    const reference = "ps_00000000000000000000000001";
    const { disputes, ...payment } = await query({ ...published.paid, metadata: { tillpost_reference: reference } }, disputed);
    expect(payment).toMatchObject({ reference, state: "succeeded" });
    expect(disputes).toEqual([
      {
        providerDisputeId: "chb_xFzwUN4ci8HAmSGUACS4J",
        payment: { reference, providerId: "tr_WSmqbH9dmk", captureId: null },
        state: "opened",
        amount: { amount_minor: 4_338, currency: "USD" },
        reason: "AC01",
        occurredAt: new Date("2023-03-14T17:09:02Z"),
      },
    ]);
  });
});
