import {
  type CallbackReport,
  type CreatedPayment,
  type CredentialField,
  type GatewayAccount,
  type GatewayAction,
  type GatewayAdapter,
  GatewayError,
  type GatewayErrorKind,
  type ListedLine,
  type NewGatewayPayment,
  type PaymentKey,
  type PaymentSnapshot,
  type RefundSnapshot,
} from "#gateways/index.ts";
import { listOf } from "./listing-provider.ts";
import { testPay } from "./payment-methods.ts";
import { type RefundThere, refundAt, refundBy, shown, strangeRefund } from "./refunding-provider.ts";
import { hintOf, sign, verifySigned } from "./signed-callbacks.ts";

type Verb = "create" | "query" | "capture" | "close" | "refund" | "query_refund" | "list";

/** What goes wrong with the next call of a verb: before the provider did anything, or afterwards, when its response is lost. */
interface Fault {
  kind: GatewayErrorKind;
  code?: string;
  after?: boolean;
  isBusy?: boolean;
  /** Only for this payment. */
  of?: string;
}

/** A payment in the provider's records. */
export interface PaidThere extends PaymentSnapshot {
  key: string;
  wanted: NewGatewayPayment;
}

export interface PayingOptions {
  /** Whether the provider waits for a capture of what the buyer approved. */
  captures?: boolean;
  /** False for a provider that can't close a payment. */
  closes?: boolean;
  action?: (payment: NewGatewayPayment) => GatewayAction;
  /** For how many days the provider refunds a payment; unlimited by default. */
  refundDays?: number;
  /** Whether the provider has a list of what it settled. */
  lists?: boolean;
}

/** A provider that tests control: what it does is recorded in memory, and its callbacks are signed with the account's secret. */
export interface PayingGateway {
  adapter: GatewayAdapter;
  payments: Map<string, PaidThere>;
  /** By our refund reference. */
  refunds: Map<string, RefundThere>;
  /** Payments that the provider doesn't know yet although their buyers can open them: it can't close them. */
  unopened: Set<string>;
  /** The first state of the next refunds, if they don't succeed. */
  refundsBegin: Partial<RefundSnapshot>;
  calls: { verb: Verb; reference: string; key: string }[];
  /** What the provider settled, by account. */
  settled: Map<string, ListedLine[]>;
  /** Called before each call takes effect, to simulate concurrent changes. */
  meanwhile: ((verb: Verb, reference: string) => Promise<void> | void) | null;
  fault(verb: Verb, ...faults: Fault[]): void;
  /** Changes the payment, as when the buyer pays. */
  change(reference: string, change: Partial<PaymentSnapshot>): PaidThere;
  pay(reference: string, change?: Partial<PaymentSnapshot>): PaidThere;
  /** The provider continues a refund, or fails it. */
  changeRefund(refundReference: string, change: Partial<RefundSnapshot>): RefundThere;
  /** Someone refunds a payment at the provider directly, under its own id. Returns that id. */
  refundAtProvider(reference: string, refund: { id: string; amountMinor: number; refundReference?: string }): string;
  /** A callback about a refund's current state, for its payment; `refund` replaces what it says. */
  refundCallback(
    refundReference: string,
    given?: { refund?: RefundSnapshot; payment?: PaymentKey | { captureId: string }; secret?: string; id?: string },
  ): SentCallback;
  /** A callback about a payment's current state; `report` replaces what it says. */
  callback(reference: string, given?: { report?: CallbackReport; secret?: string; event?: string; id?: string }): SentCallback;
  countOf(verb: Verb): number;
}

export interface SentCallback {
  headers: Record<string, string>;
  payload: string;
}

const repeated: ReadonlySet<GatewayErrorKind> = new Set(["unavailable", "rate_limited", "unknown_outcome"]);

const field = (name: string, secret: boolean): CredentialField => ({
  ...{ name, secret, required: true, multiline: false, names: { en: name }, hints: { en: name } },
});

export function payingGateway(options: PayingOptions = {}): PayingGateway {
  const faults = new Map<Verb, Fault[]>();
  const gateway: PayingGateway = {
    adapter: undefined as never,
    payments: new Map(),
    refunds: new Map(),
    unopened: new Set(),
    refundsBegin: {},
    calls: [],
    settled: new Map(),
    meanwhile: null,
    // A fault worth repeating occurs as many times as one call repeats it.
    fault: (verb, ...more) =>
      void faults.set(verb, [
        ...(faults.get(verb) ?? []),
        ...more.flatMap((fault) => (repeated.has(fault.kind) ? [{ ...fault }, { ...fault }, { ...fault }] : [fault])),
      ]),
    change(reference, change) {
      const payment = gateway.payments.get(reference);
      if (payment === undefined) throw new Error(`the provider knows no payment ${reference}`);
      return Object.assign(payment, change);
    },
    pay(reference, change = {}) {
      const { asked } = gateway.change(reference, {});
      const paid = { paid: asked, captureId: `cap_${reference}`, paidAt: new Date("2026-11-20T08:00:30.000Z"), providerState: "PAID" };
      return gateway.change(reference, { state: "succeeded", ...paid, ...change });
    },
    ...refundHand(() => gateway),
    callback: callbackMaker(() => gateway),
    countOf: (verb) => gateway.calls.filter((call) => call.verb === verb).length,
  };
  const during: During = async (verb, about, work) => {
    gateway.calls.push({ verb, ...about });
    await gateway.meanwhile?.(verb, about.reference);
    const waiting = faults.get(verb) ?? [];
    const fault = waiting.find(({ of }) => of === undefined || of === about.reference);
    faults.set(
      verb,
      waiting.filter((one) => one !== fault),
    );
    if (fault !== undefined && fault.after !== true) throw errorOf(fault);
    const done = work();
    if (fault !== undefined) throw errorOf(fault);
    return done;
  };
  return Object.assign(gateway, { adapter: adapterOf({ gateway, during, options }) });
}

/** What tests do with refunds at the provider. */
function refundHand(of: () => PayingGateway): Pick<PayingGateway, "changeRefund" | "refundAtProvider" | "refundCallback"> {
  return {
    changeRefund(refundReference, change) {
      const refund = of().refunds.get(refundReference);
      if (refund === undefined) throw new Error(`the provider knows no refund ${refundReference}`);
      return Object.assign(refund, change);
    },
    refundAtProvider(reference, refund) {
      of().refunds.set(refund.id, strangeRefund(of().change(reference, {}), refund));
      return refund.id;
    },
    refundCallback(refundReference, { refund, payment, ...given } = {}) {
      const there = of().changeRefund(refundReference, {});
      const { reference, providerId } = there.wanted;
      const report = { kind: "refund", payment: payment ?? { reference, providerId }, refund: refund ?? shown(there) } as const;
      return of().callback(reference, { report, event: "refund.updated", ...given });
    },
  };
}

type During = <T>(verb: Verb, about: { reference: string; key: string }, work: () => T) => Promise<T>;

interface Provider {
  gateway: PayingGateway;
  during: During;
  options: PayingOptions;
}

function callbackMaker(of: () => PayingGateway): PayingGateway["callback"] {
  let events = 0;
  return (reference, given = {}) => {
    events += 1;
    const payment = of().payments.get(reference);
    const { key: _key, wanted: _wanted, ...snapshot } = payment ?? ({} as PaidThere);
    const report = given.report ?? { kind: "payment", payment: snapshot };
    const account = payment?.key ?? "acct";
    const payload = JSON.stringify({
      id: given.id ?? `evt_${events}`,
      event: given.event ?? "payment.updated",
      account,
      reference,
      report,
    });
    return {
      headers: { "content-type": "application/json", "x-testpay-signature": sign(given.secret ?? `secret of ${account}`, payload) },
      payload,
    };
  };
}

/** One for all of these gateways: servers with the same methods share their compiled schemas. */
const payMethod = { ...testPay, currencies: ["CNY", "EUR"] };

function adapterOf(provider: Provider): GatewayAdapter {
  return {
    manifest: {
      method: payMethod,
      fields: [field("key", false), field("secret", true)],
      hosts: { live: "https://api.testpay.example", test: "https://sandbox.testpay.example" },
      limits: { minMinor: () => 50, maxMinor: () => 1_000_000, stepMinor: () => 1 },
      lifetime: { minSeconds: 60, maxSeconds: 2_592_000 },
      refundDays: provider.options.refundDays ?? null,
      callbackPerPayment: true,
      callbackEvents: ["payment.updated"],
    },
    open: (fields) => accountOf(provider, fields),
    simulator: () => Promise.reject(new Error("a test plays the provider")),
    hint: hintOf,
    answer(outcome) {
      if (outcome === "stored") return { status: 200, headers: { "content-type": "text/plain" }, body: "OK" };
      return { status: outcome === "failed" ? 503 : 401, headers: {}, body: "NO" };
    },
  };
}

function accountOf(provider: Provider, { key = "", secret = "" }: Readonly<Record<string, string>>): GatewayAccount {
  const { gateway, during, options } = provider;
  const find = (reference: string): PaidThere => {
    const payment = gateway.payments.get(reference);
    if (payment === undefined || payment.key !== key)
      throw new GatewayError("not_found", { code: "no_such_payment", message: "No such payment." });
    return payment;
  };
  const take = (reference: string) => {
    find(reference);
    return gateway.pay(reference);
  };
  return {
    id: key,
    ...{ keyIds: [], baseUrl: null, check: null, listSettled: options.lists === true ? listOf(gateway.settled, { key, during }) : null },
    refund: (_call, wanted) =>
      during("refund", { reference: wanted.refundReference, key }, () =>
        refundAt(gateway.refunds, { wanted, payment: find(wanted.reference), first: gateway.refundsBegin }),
      ),
    queryRefund: (_call, wanted) =>
      during("query_refund", { reference: wanted.refundReference, key }, () => refundBy(gateway.refunds, wanted)),
    create: (_call, wanted) => during("create", { reference: wanted.reference, key }, () => createAt(gateway, { key, wanted, options })),
    query: (_call, { reference }) => during("query", { reference, key }, () => ({ ...find(reference) })),
    capture: options.captures === true ? (_call, { reference }) => during("capture", { reference, key }, () => take(reference)) : null,
    close:
      options.closes === false ? null : (_call, { reference }) => during("close", { reference, key }, () => closeAt(gateway, reference)),
    verify: async (_call, callback) => verifySigned(secret, callback),
  };
}

function closeAt({ payments, unopened }: PayingGateway, reference: string): "closed" | "already_paid" | "absent" | "unopened" {
  const payment = payments.get(reference);
  if (payment === undefined) return "absent";
  if (payment.state === "succeeded" || payment.state === "processing") return "already_paid";
  if (unopened.has(reference)) return "unopened";
  payment.state = "canceled";
  return "closed";
}

function createAt(gateway: PayingGateway, given: { key: string; wanted: NewGatewayPayment; options: PayingOptions }): CreatedPayment {
  const { key, wanted, options } = given;
  const known = gateway.payments.get(wanted.reference);
  if (known?.state === "succeeded") throw new GatewayError("already_paid", { code: "paid", message: "It is paid." });
  const payment: PaidThere = known ?? {
    key,
    wanted,
    reference: wanted.reference,
    providerId: `pay_${wanted.reference.slice(3)}`,
    captureId: null,
    state: "pending",
    asked: wanted.amount,
    paid: null,
    refunded: null,
    fee: null,
    paidAt: null,
    providerState: "OPEN",
    livemode: null,
    account: key,
    failure: null,
  };
  gateway.payments.set(wanted.reference, payment);
  const { key: _key, wanted: _wanted, ...snapshot } = payment;
  const action = options.action?.(wanted) ?? { type: "redirect", url: `https://testpay.example/pay/${wanted.reference}` };
  return { ...snapshot, action, actionExpiresAt: null };
}

function errorOf({ kind, code = kind, isBusy = false }: Fault): GatewayError {
  return new GatewayError(kind, { code, message: `The provider says ${code}.`, isBusy });
}
