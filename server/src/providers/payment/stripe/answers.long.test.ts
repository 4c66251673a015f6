import { expect, test } from "vitest";
import { brokenAnswer, recordAnswers } from "#test/support/gateways/published/record-answers.ts";
import { type AnswerType, typeFaults } from "#test/support/gateways/published/type-faults.ts";
import { stripe } from "./adapter.ts";
import { stripeSimulator } from "./simulator.ts";
import { facts } from "./testing/facts.ts";

// Stripe generates the types of its library from its OpenAPI document.
const imports = 'import type Stripe from "stripe";';
const types: AnswerType[] = [
  { request: /^callback$/, type: "Stripe.Event" },
  { request: /^GET \/v1\/checkout\/sessions$/, type: "Stripe.ApiList<Stripe.Checkout.Session>" },
  { request: /^(POST|GET) \/v1\/checkout\/sessions(\/…(\/expire)?)?$/, type: "Stripe.Checkout.Session" },
  { request: /^GET \/v1\/refunds$/, type: "Stripe.ApiList<Stripe.Refund>" },
  { request: /^(POST|GET) \/v1\/refunds(\/…)?$/, type: "Stripe.Refund" },
  { request: /^GET \/v1\/account$/, type: "Stripe.Account" },
  { request: /^GET \/v1\/balance_transactions$/, type: "Stripe.ApiList<Stripe.BalanceTransaction>" },
];

test("all that the simulator answers and sends has the types of Stripe's own library, and nothing that they don't have", async () => {
  const recorded = await recordAnswers({ adapter: stripe, simulator: stripeSimulator, ...facts });
  const broken = brokenAnswer(recorded, /^POST \/v1\/refunds$/);
  expect(typeFaults([...recorded, broken], { imports, types })).toEqual([
    "POST /v1/refunds: Type 'number' is not assignable to type 'string'.",
  ]);
});
