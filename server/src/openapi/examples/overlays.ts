import { personalMethods } from "#collection/index.ts";
import { storyId } from "./story.ts";

/** Requests that can't be derived from their schema, by operation. */
export const requests: Record<string, unknown> = {
  startPayment: { gateway: personalMethods[0].gateway },
  cancelOrder: {},
  createRefund: {
    amount_minor: 900,
    channel: personalMethods[0].channel,
    external_transaction_id: "4200002026112114300002",
    paid_back_at: "2026-11-21T09:00:00.000Z",
    reason: "requested_by_customer",
  },
  resolveException: { action: "accept", note: "The buyer paid again on purpose." },
  reviewOrder: {
    decision: "approve",
    received_amount_minor: 9900,
    external_transaction_id: "4200002026112014300001",
    paid_at: "2026-11-20T14:42:00.000Z",
  },
};

const paid = {
  status: "paid",
  amount_received_minor: 9900,
  paid_at: "2026-11-20T14:42:00.000Z",
  updated_at: "2026-11-20T14:42:00.000Z",
  version: 3,
};
const link = {
  id: storyId("lnk"),
  object: "payment_link",
  token: "pl_test_4Zq8cJx0mB7vN2sT5yR1kW9dF3hL6aPe",
  url: "http://localhost:8080/pay/pl_test_4Zq8cJx0mB7vN2sT5yR1kW9dF3hL6aPe",
  expires_at: "2026-11-21T14:30:00.000Z",
  created_at: "2026-11-20T14:30:00.000Z",
};

/** Differences of an operation's response from its object's usual example. */
export const answers: Record<string, Record<string, unknown>> = {
  reviewOrder: { ...paid, flags: ["manually_verified"], payment_link: { ...link, status: "paid" } },
  reversePayment: { ...paid, amount_received_minor: 0, flags: ["payment_reversed"], version: 4, payment_link: { ...link, status: "paid" } },
  simulatePayment: { ...paid, payment_link: { ...link, status: "paid" } },
  cancelOrder: {
    status: "canceled",
    failure_code: "canceled",
    canceled_at: "2026-11-20T14:42:00.000Z",
    updated_at: "2026-11-20T14:42:00.000Z",
    version: 2,
    payment_link: { ...link, status: "expired" },
  },
  dismissClaim: {
    status: "canceled",
    failure_code: "canceled",
    canceled_at: "2026-11-20T14:42:00.000Z",
    updated_at: "2026-11-20T15:10:00.000Z",
    version: 4,
    payment_link: { ...link, status: "expired" },
  },
};
