import { readFileSync } from "node:fs";
import Stripe from "stripe";
import { expect, test } from "vitest";
import type { CallbackVerdict } from "#gateways/index.ts";
import { simulatedWorld } from "#test/support/gateways/simulated/simulated-world.ts";
import { rawCallback, reference } from "#test/support/gateways/simulated/stripe-shop.ts";
import { stripe } from "./adapter.ts";
import { stripeSimulator } from "./simulator.ts";

/** Objects that Stripe published, and the envelope of its events; the file names its pages. */
const published = JSON.parse(readFileSync(new URL("testing/published.json", import.meta.url), "utf8"));
const secret = "whsec_published_0123456789";
const at = new Date(1_686_089_971_000);

/** Has Stripe's own library sign an event, and returns what the adapter and the library read in it. */
async function read(type: string, object: object): Promise<{ verdict: CallbackVerdict; event: Stripe.Event }> {
  const payload = JSON.stringify({ ...published.envelope, type, data: { object } });
  const timestamp = at.getTime() / 1_000;
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  const account = stripe.open({ secret_key: "sk_test_published0123456789", webhook_secret: secret }, { livemode: false });
  const verdict = await account.verify(simulatedWorld().call(stripeSimulator), rawCallback(payload, header, at));
  return { verdict, event: Stripe.webhooks.constructEvent(payload, header, secret, 300, undefined, at.getTime()) };
}

/** What Tillpost adds when it creates a session, and what differs once that is paid: the published one is open. */
const paid = {
  client_reference_id: reference,
  metadata: { tillpost_reference: reference },
  status: "complete",
  payment_status: "paid",
  payment_intent: "pi_1GszsK2eZvKYlo2CfhZyoZLp",
};

test("checkout.session.completed reports our payment, paid as much as the published session asks", async () => {
  const { verdict, event } = await read("checkout.session.completed", { ...published.session, ...paid });
  expect(verdict).toEqual({
    ok: true,
    dedupeKey: event.id,
    event: event.type,
    report: {
      kind: "payment",
      payment: {
        reference,
        providerId: "cs_test_a11YYufWQzNY63zpQ6QSNRQhkUpVph4WRmzW0zWJO2znZKdVujZ0N0S22u",
        captureId: "pi_1GszsK2eZvKYlo2CfhZyoZLp",
        state: "succeeded",
        asked: { amount_minor: 2_198, currency: "USD" },
        paid: { amount_minor: 2_198, currency: "USD" },
        refunded: null,
        fee: null,
        feeLater: true,
        paidAt: new Date("2023-06-06T22:19:30Z"),
        providerState: "complete/paid",
        livemode: false,
        account: null,
        failure: null,
      },
    },
  });
});

test("checkout.session.completed of a session that isn't ours, as published, reports nothing", async () => {
  const { verdict } = await read("checkout.session.completed", published.session);
  expect(verdict).toEqual({
    ok: true,
    dedupeKey: published.envelope.id,
    event: "checkout.session.completed",
    report: { kind: "nothing" },
  });
});

test("refund.updated reports the published refund of its payment", async () => {
  const { verdict } = await read("refund.updated", published.refund);
  expect(verdict).toMatchObject({
    ok: true,
    report: {
      kind: "refund",
      payment: { captureId: "pi_1GszsK2eZvKYlo2CfhZyoZLp" },
      refund: {
        refundReference: null,
        providerRefundId: "re_1Nispe2eZvKYlo2Cd31jOCgZ",
        state: "succeeded",
        amount: { amount_minor: 1_000, currency: "USD" },
        failure: null,
      },
    },
  });
});

test("charge.dispute.created reports the published dispute as an inquiry, whose money isn't taken yet", async () => {
  const { verdict } = await read("charge.dispute.created", published.dispute);
  expect(verdict).toEqual({
    ok: true,
    dedupeKey: published.envelope.id,
    event: "charge.dispute.created",
    report: {
      kind: "dispute",
      dispute: {
        providerDisputeId: "du_1MtJUT2eZvKYlo2CNaw2HvEv",
        payment: { reference: null, providerId: null, captureId: null },
        state: "inquiry",
        amount: { amount_minor: 1_000, currency: "USD" },
        reason: "general",
        occurredAt: new Date("2023-06-06T22:19:30Z"),
      },
    },
  });
});
