import type { PaymentKey, PaymentSnapshot } from "#gateways/index.ts";
import {
  type CallbackAnswer,
  type CallbackOutcome,
  type GatewayAccount,
  type GatewayAdapter,
  type GatewayCall,
  GatewayError,
  malformedAnswer,
} from "#gateways/index.ts";
import { hintOf, verifyCallback } from "./callbacks.ts";
import { callStripe } from "./client.ts";
import { createSession } from "./create-session.ts";
import { readCredentials, type StripeCredentials } from "./credentials.ts";
import { findSessionId, readSession } from "./find-session.ts";
import { listSettled } from "./list-settled.ts";
import { manifest } from "./manifest.ts";
import { createRefund, findRefund } from "./refunds.ts";
import { paymentOf, readList, readObjectOf, textOf } from "./wire.ts";

/** Stripe Checkout, through Stripe's own library. */
export const stripe: GatewayAdapter = {
  simulator: async () => (await import("./simulator.ts")).stripeSimulator,
  manifest,
  open: (fields, given) => openAccount(readCredentials(fields, given)),
  hint: hintOf,
  answer: answerOf,
};

function openAccount(credentials: StripeCredentials): GatewayAccount {
  return {
    id: null,
    keyIds: [],
    baseUrl: null,
    capture: null,
    check: (call) => checkAccount(call, credentials),
    create: (call, payment) => createSession(call, credentials, payment),
    query: (call, key) => queryPayment(call, credentials, key),
    close: (call, key) => closePayment(call, credentials, key),
    refund: (call, refund) => createRefund(call, credentials, refund),
    queryRefund: (call, key) => findRefund(call, credentials, key),
    listSettled: (call, span) => listSettled(call, credentials, span),
    verify: async (_call, callback) => verifyCallback(credentials, callback),
  };
}

async function queryPayment(call: GatewayCall, credentials: StripeCredentials, key: PaymentKey): Promise<PaymentSnapshot> {
  const payment = paymentOf(await readSession(call, credentials, await findSessionId(call, credentials, key)));
  if (payment === null) throw malformedAnswer(false);
  return payment;
}

/** Expires an open session. Stripe refuses to expire any other, with a message but no code, so its state is read. */
async function closePayment(
  call: GatewayCall,
  credentials: StripeCredentials,
  key: PaymentKey,
): Promise<"closed" | "already_paid" | "absent"> {
  try {
    const id = await findSessionId(call, credentials, key);
    try {
      const answer = await callStripe(call, credentials.secretKey, {
        changes: true,
        ask: (library) => library.checkout.sessions.expire(id),
      });
      if (readObjectOf(answer, "checkout.session")?.["status"] !== "expired") throw malformedAnswer(true);
      return "closed";
    } catch (error) {
      if (!(error instanceof GatewayError) || error.kind !== "invalid") throw error;
      const { status } = (await readSession(call, credentials, id)) as { status?: unknown };
      if (status === "complete") return "already_paid";
      if (status === "expired") return "closed";
      throw error;
    }
  } catch (error) {
    if (error instanceof GatewayError && error.kind === "not_found") return "absent";
    throw error;
  }
}

/** A restricted key may not be allowed to read the account: then it must be able to read sessions. */
async function checkAccount(call: GatewayCall, { secretKey }: StripeCredentials): Promise<{ account: string | null; name: string | null }> {
  try {
    const account = readObjectOf(
      await callStripe(call, secretKey, { changes: false, ask: (library) => library.accounts.retrieveCurrent() }),
      "account",
    );
    if (account === null) throw malformedAnswer(false);
    const settings = account["settings"] as { dashboard?: { display_name?: unknown } } | null | undefined;
    return { account: textOf(account["id"]), name: textOf(settings?.dashboard?.display_name) };
  } catch (error) {
    if (!(error instanceof GatewayError) || error.kind !== "auth" || !secretKey.startsWith("rk_")) throw error;
    const answer = await callStripe(call, secretKey, { changes: false, ask: (library) => library.checkout.sessions.list({ limit: 1 }) });
    if (readList(answer, "checkout.session") === null) throw malformedAnswer(false);
    return { account: null, name: null };
  }
}

/** Stripe accepts any 2xx, and shows the merchant the body of anything else. */
function answerOf(outcome: CallbackOutcome): CallbackAnswer {
  const status = outcome === "stored" ? 200 : outcome === "failed" ? 503 : 400;
  return { status, headers: { "content-type": "text/plain" }, body: outcome };
}
