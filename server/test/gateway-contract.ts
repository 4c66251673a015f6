import { beforeAll, describe, expect, test } from "vitest";
import {
  CredentialsInvalid,
  type GatewayAccount,
  type GatewayAdapter,
  type GatewayAmount,
  GatewayError,
  type NewGatewayPayment,
  type ProviderSimulator,
  type SimulatedCallback,
  type SimulatedOutcome,
} from "#gateways/index.ts";
import { received, type SimulatedWorld, simulatedWorld } from "./simulated-world.ts";

export interface GatewayUnderTest {
  adapter: GatewayAdapter;
  simulator: ProviderSimulator;
  /** An amount that the gateway takes. */
  amount: GatewayAmount;
  /** Whether the provider signs its callbacks; otherwise they are hints without proof. */
  signed: boolean;
  /** Whether a callback carries a time, so that an old one is refused. Seconds after which it is. */
  staleAfterSeconds: number | null;
  /** Whether the provider decides each refund at once and for good: its simulator then refuses to fail one. */
  refundsAreFinal?: boolean;
}

let made = 0;
const nextId = (prefix: string) => `${prefix}_${String((made += 1)).padStart(26, "0")}`;

/** Every adapter against its provider's simulator: what the orders room relies on, whoever the provider is. */
export function gatewayContract(given: GatewayUnderTest): void {
  const { adapter, simulator, amount } = given;
  const { slug } = simulator;

  interface Shop {
    world: SimulatedWorld;
    account: GatewayAccount;
    fields: Record<string, string>;
    call: ReturnType<SimulatedWorld["call"]>;
  }
  const open = async (): Promise<Shop> => {
    const world = simulatedWorld();
    const fields = await simulator.openAccount(world, "shop");
    return { world, fields, account: adapter.open(fields, { livemode: false }), call: world.call(simulator) };
  };
  const payment = (world: SimulatedWorld, over: Partial<NewGatewayPayment> = {}): NewGatewayPayment => ({
    reference: nextId("ps"),
    amount,
    title: 'Two pots of tea & "honey" 50% + more 茶',
    notifyUrl: `https://shop.test/api/payments/${slug}/webhook/${nextId("gc")}`,
    returnUrl: "https://shop.test/pay/pl_test_token?from=provider&x=1",
    cancelUrl: "https://shop.test/pay/pl_test_token?canceled=1",
    expiresAt: new Date(world.now().getTime() + 3_600_000),
    buyer: { ip: "203.0.113.7", locale: "en", device: "desktop", openid: null },
    metadata: { order_id: nextId("ord"), reference: "INV-1001" },
    ...over,
  });
  const paying = async (outcome: SimulatedOutcome | null, over: Partial<NewGatewayPayment> = {}) => {
    const shop = await open();
    const asked = payment(shop.world, over);
    const created = await shop.account.create(shop.call, asked);
    const key = { reference: asked.reference, providerId: created.providerId };
    if (outcome !== null) await simulator.act(shop.world, { reference: asked.reference, outcome });
    return { ...shop, asked, created, key };
  };
  const queried = async ({ account, call, key }: Awaited<ReturnType<typeof paying>>) => {
    const snapshot = await account.query(call, key);
    return snapshot.state === "processing" && account.capture !== null ? account.capture(call, key) : snapshot;
  };
  const errorOf = async (promise: Promise<unknown>): Promise<GatewayError> => {
    const error = await promise.then(
      () => new Error("it went through"),
      (fault: unknown) => fault,
    );
    expect(error).toBeInstanceOf(GatewayError);
    return error as GatewayError;
  };

  describe("an account", () => {
    let shop: Shop;
    beforeAll(async () => {
      shop = await open();
    });

    test("is opened from the fields of its form, and the same name opens the same account", async () => {
      const declared = adapter.manifest.fields.map(({ name }) => name);
      expect(declared).toEqual(expect.arrayContaining(Object.keys(shop.fields)));
      expect(adapter.manifest.fields.some(({ secret }) => secret)).toBe(true);
      expect(await simulator.openAccount(shop.world, "shop")).toEqual(shop.fields);
      expect(await simulator.openAccount(shop.world, "other")).not.toEqual(shop.fields);
    });

    test("without its fields is refused with every fault at once, and no fault quotes a secret", () => {
      const required = adapter.manifest.fields.filter((field) => field.required).map(({ name }) => name);
      const faultsOf = (fields: Record<string, string>) => {
        try {
          adapter.open(fields, { livemode: false });
        } catch (error) {
          if (error instanceof CredentialsInvalid) return error.faults;
          throw error;
        }
        return [];
      };
      expect(faultsOf({}).map(({ field, reason }) => [field, reason])).toEqual(required.map((name) => [name, "required"]));
      const marked = Object.fromEntries(adapter.manifest.fields.map(({ name }) => [name, `sk_Q7x!${name}\u0000`]));
      const faults = faultsOf(marked);
      expect(faults.length).toBeGreaterThan(0);
      for (const fault of faults) expect(JSON.stringify(fault)).not.toContain("Q7x");
    });

    test("is checked by a call that changes nothing, and wrong credentials are told from an unreachable provider", async () => {
      if (shop.account.check === null) return expect(adapter.manifest.method.kind).toBe("gateway");
      await expect(shop.account.check(shop.call)).resolves.toBeDefined();
      const stranger = simulatedWorld();
      await simulator.openAccount(stranger, "somebody else");
      expect((await errorOf(shop.account.check(stranger.call(simulator)))).kind).toBe("auth");
      const away = { ...shop.call, fetch: async () => Promise.reject(Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } })) };
      expect((await errorOf(shop.account.check(away))).kind).toBe("unavailable");
    });
  });

  describe("a payment", () => {
    test("is created with something for the buyer to do, and is pending", async () => {
      const { created, asked } = await paying(null);
      expect(["display_qr", "redirect", "form", "wechat_jsapi"]).toContain(created.action.type);
      expect(created).toMatchObject({ state: "pending", paid: null });
      expect([asked.reference, null]).toContain(created.reference);
    });

    test("created again under its reference is the same payment: the buyer can pay once", async () => {
      const paid = await paying(null);
      const again = await paid.account.create(paid.call, paid.asked);
      expect(again.providerId).toBe(paid.created.providerId);
      await simulator.act(paid.world, { reference: paid.asked.reference, outcome: "paid" });
      expect(await queried(paid)).toMatchObject({ state: "succeeded", paid: amount });
    });

    test("that the buyer paid has succeeded with exactly what was asked, under our reference", async () => {
      const paid = await paying("paid");
      const snapshot = await queried(paid);
      expect(snapshot).toMatchObject({ state: "succeeded", paid: amount, failure: null });
      expect(snapshot.paidAt).toBeInstanceOf(Date);
      expect([false, null]).toContain(snapshot.livemode);
      expect([paid.asked.reference, null]).toContain(snapshot.reference);
      if (paid.account.id !== null && snapshot.account !== null) expect(snapshot.account).toBe(paid.account.id);
    });

    test.for(["declined", "canceled", "expired", "processing"] as const)(
      "that ended as %s is told as that, and nothing as paid",
      async (outcome, { expect }) => {
        if (!simulator.outcomes.includes(outcome)) return;
        const snapshot = await paying(outcome).then((one) => one.account.query(one.call, one.key));
        const states = {
          declined: ["failed", "pending"],
          canceled: ["canceled", "failed", "pending"],
          expired: ["expired", "canceled"],
          processing: ["processing"],
        };
        expect(states[outcome]).toContain(snapshot.state);
        expect(snapshot.paid).toBeNull();
      },
    );

    test("that nobody made is not found", async () => {
      const { account, call } = await open();
      const error = await account.query(call, { reference: nextId("ps"), providerId: null }).then(
        (snapshot) => snapshot,
        (fault: unknown) => fault as GatewayError,
      );
      // A provider that begins to know a payment only once the buyer opened it tells it as pending.
      if (error instanceof GatewayError) expect(error.kind).toBe("not_found");
      else expect(error).toMatchObject({ state: "pending", paid: null });
    });

    test("that was closed cannot be paid, and one that is paid cannot be closed", async () => {
      const closing = await paying(null);
      if (closing.account.close === null) return expect(simulator.outcomes).toContain("late");
      expect(["closed", "absent"]).toContain(await closing.account.close(closing.call, closing.key));
      const paid = await paying("paid");
      await queried(paid);
      expect(await paid.account.close?.(paid.call, paid.key)).toBe("already_paid");
    });

    test("paid after its end has succeeded all the same", async () => {
      if (!simulator.outcomes.includes("late")) return;
      const late = await paying("late");
      expect(await queried(late)).toMatchObject({ state: "succeeded", paid: amount });
    });
  });

  describe("when the provider fails", () => {
    test.for([
      ["lost_answer", ["unknown_outcome"]],
      ["refused", ["unavailable"]],
      ["server_error", ["unknown_outcome", "unavailable"]],
      ["rate_limited", ["rate_limited"]],
      ["garbage", ["unknown_outcome"]],
    ] as const)("%s while a payment is created is told as what it is, and asking again makes no second payment", async ([fault, kinds], { expect }) => {
      const { world, account, call } = await open();
      const asked = payment(world);
      await account.check?.(call);
      await simulator.breakNext(world, fault);
      const first = await account.create(call, asked).then(
        () => null,
        (error: unknown) => error,
      );
      // A payment that is only an address signed by us asks nobody.
      if (first !== null) expect(first).toBeInstanceOf(GatewayError);
      if (first instanceof GatewayError) expect(kinds).toContain(first.kind);
      const second = await account.create(call, asked);
      await simulator.act(world, { reference: asked.reference, outcome: "paid" });
      const key = { reference: asked.reference, providerId: second.providerId };
      const snapshot = await account.query(call, key);
      const settled = snapshot.state === "processing" && account.capture !== null ? await account.capture(call, key) : snapshot;
      expect(settled).toMatchObject({ state: "succeeded", paid: amount });
    });

    test.for(["refused", "server_error", "rate_limited", "garbage"] as const)(
      "%s while a payment is asked for never looks like an end of it",
      async (fault, { expect }) => {
        const paid = await paying(null);
        await simulator.breakNext(paid.world, fault);
        const error = await paid.account.query(paid.call, paid.key).then(
          () => null,
          (one: unknown) => one,
        );
        expect(error).toBeInstanceOf(GatewayError);
        expect(["unavailable", "rate_limited", "unknown_outcome"]).toContain((error as GatewayError).kind);
      },
    );
  });

  describe("a refund", () => {
    const paidOne = async () => {
      const paid = await paying("paid");
      const snapshot = await queried(paid);
      const refundOf = (refundReference: string, amountMinor: number) => ({
        ...paid.key,
        captureId: snapshot.captureId,
        refundReference,
        amount: { ...amount, amount_minor: amountMinor },
        total: amount,
        reason: "Out of stock",
        notifyUrl: paid.asked.notifyUrl,
      });
      return { ...paid, snapshot, refundOf };
    };
    const ended = async (paid: Awaited<ReturnType<typeof paidOne>>, refundReference: string, providerRefundId: string | null) =>
      paid.account.queryRefund(paid.call, { ...paid.key, captureId: paid.snapshot.captureId, refundReference, providerRefundId });

    test("asked for twice under one reference pays back once", async () => {
      const paid = await paidOne();
      const reference = nextId("rf");
      const first = await paid.account.refund(paid.call, paid.refundOf(reference, 300));
      expect(["pending", "requires_action", "succeeded"]).toContain(first.state);
      const again = await paid.account.refund(paid.call, paid.refundOf(reference, 300));
      expect(again.providerRefundId).toBe(first.providerRefundId);
      await simulator.actOnRefund(paid.world, { refundReference: reference, outcome: "succeeded" });
      expect((await ended(paid, reference, first.providerRefundId)).state).toBe("succeeded");
      const { refunded } = await paid.account.query(paid.call, paid.key);
      if (refunded !== null) expect(refunded).toEqual({ ...amount, amount_minor: 300 });
    });

    test("in parts may add up to what was paid, and not to more", async () => {
      const paid = await paidOne();
      const rest = amount.amount_minor - 300;
      await paid.account.refund(paid.call, paid.refundOf(nextId("rf"), 300));
      paid.world.pass(120);
      await paid.account.refund(paid.call, paid.refundOf(nextId("rf"), rest));
      paid.world.pass(120);
      const error = await errorOf(paid.account.refund(paid.call, paid.refundOf(nextId("rf"), 300)));
      expect(["declined", "invalid", "conflict"]).toContain(error.kind);
    });

    test("whose answer is lost is found by asking, and asking again does not repeat it", async () => {
      const paid = await paidOne();
      const reference = nextId("rf");
      await simulator.breakNext(paid.world, "lost_answer");
      expect((await errorOf(paid.account.refund(paid.call, paid.refundOf(reference, 300)))).kind).toBe("unknown_outcome");
      const again = await paid.account.refund(paid.call, paid.refundOf(reference, 300));
      await simulator.actOnRefund(paid.world, { refundReference: reference, outcome: "succeeded" });
      expect((await ended(paid, reference, again.providerRefundId)).state).toBe("succeeded");
      const { refunded } = await paid.account.query(paid.call, paid.key);
      if (refunded !== null) expect(refunded.amount_minor).toBe(300);
    });

    test("that the provider could not pay out has failed, also after it had succeeded", async () => {
      const paid = await paidOne();
      const reference = nextId("rf");
      const { providerRefundId } = await paid.account.refund(paid.call, paid.refundOf(reference, 300));
      const failing = simulator.actOnRefund(paid.world, { refundReference: reference, outcome: "failed_later" });
      if (given.refundsAreFinal === true) return expect(failing).rejects.toThrow();
      await failing;
      expect((await ended(paid, reference, providerRefundId)).state).toBe("failed");
    });

    test("that nobody made is not found", async () => {
      const paid = await paidOne();
      expect((await errorOf(ended(paid, nextId("rf"), null))).kind).toBe("not_found");
    });
  });

  describe("a callback", () => {
    const told = async () => {
      const paid = await paying("paid");
      await queried(paid);
      return { ...paid, callback: await simulator.callbackOf(paid.world, paid.asked.reference) };
    };
    const verdictOf = (shop: Shop, callback: Pick<SimulatedCallback, "url" | "headers" | "body">) =>
      shop.account.verify(shop.call, received(callback, shop.world.now()));

    test("goes to the address that the payment named, is believed, and names the payment", async () => {
      const paid = await told();
      if (adapter.manifest.callbackPerPayment) expect(paid.callback.url).toBe(paid.asked.notifyUrl);
      const raw = received(paid.callback, paid.world.now());
      const hint = adapter.hint(raw);
      expect(hint).not.toBeNull();
      if (hint?.account != null && paid.account.id !== null) expect(hint.account).toBe(paid.account.id);
      // An account that learns its provider's keys only by asking names none.
      if (hint?.keyId != null && paid.account.keyIds.length > 0) expect(paid.account.keyIds).toContain(hint.keyId);
      const verdict = await paid.account.verify(paid.call, raw);
      if (!verdict.ok) throw new Error(`refused: ${verdict.reason}`);
      if (verdict.told.kind === "payment") expect(verdict.told.payment).toMatchObject({ state: "succeeded", paid: amount });
      else expect(verdict.told).toMatchObject({ kind: "ask" });
    });

    test("sent again has the same key, and another event has another", async () => {
      const paid = await told();
      const first = await verdictOf(paid, paid.callback);
      const repeat = paid.callback.again === null ? paid.callback : { ...paid.callback, ...(await paid.callback.again()) };
      expect(await verdictOf(paid, repeat)).toMatchObject({ ok: true, dedupeKey: first.ok ? first.dedupeKey : "" });
      const other = await told();
      const second = await verdictOf(other, other.callback);
      expect(second.ok && first.ok && second.dedupeKey !== first.dedupeKey).toBe(true);
    });

    test("is answered in words that the provider takes, and a failure of ours in words that make it come again", async () => {
      const { callback } = await told();
      expect(callback.accepts(adapter.answer("stored"))).toBe(true);
      expect(callback.accepts(adapter.answer("failed"))).toBe(false);
      for (const refusal of ["signature", "stale", "unknown_key", "malformed"] as const) expect(adapter.answer(refusal).status).toBeGreaterThanOrEqual(200);
      expect(callback.retrySeconds.length).toBeGreaterThan(0);
    });

    if (given.signed) {
      test("with any byte changed is refused, and so is one of another account or without its signature", async () => {
        const paid = await told();
        const { callback } = paid;
        const middle = Math.floor(callback.body.length / 2);
        for (const at of [0, middle, callback.body.length - 1]) {
          const changed = `${callback.body.slice(0, at)}${callback.body.charAt(at) === "7" ? "8" : "7"}${callback.body.slice(at + 1)}`;
          expect(await verdictOf(paid, { ...callback, body: changed })).toMatchObject({ ok: false });
        }
        expect(await verdictOf(paid, { ...callback, body: "" })).toMatchObject({ ok: false });
        expect(
          await verdictOf(paid, { ...callback, headers: { "content-type": "application/json" }, body: callback.body.replace(/sign=[^&]*&?/, "") }),
        ).toMatchObject({ ok: false });
        const stranger = adapter.open(await simulator.openAccount(paid.world, "other"), { livemode: false });
        expect(await stranger.verify(paid.call, received(callback, paid.world.now()))).toMatchObject({ ok: false });
      });

      test("that is no callback at all is refused without an error", async () => {
        const { account, call, world, callback } = await told();
        const bodies = ["", "{", "null", "[]", '"x"', "id=", "a=b&a=c", "\u0000", `{"x":${"[".repeat(2_000)}`, "x".repeat(200_000)];
        for (const body of bodies) {
          const raw = received({ ...callback, body }, world.now());
          expect(() => adapter.hint(raw)).not.toThrow();
          expect(await account.verify(call, raw)).toMatchObject({ ok: false });
          expect(await account.verify(call, { ...raw, headers: {} })).toMatchObject({ ok: false });
        }
      });
    }

    const { staleAfterSeconds } = given;
    if (staleAfterSeconds !== null) {
      test("is refused when it is too old, and when it comes from the future", async () => {
        const paid = await told();
        const at = (seconds: number) => received(paid.callback, new Date(paid.world.now().getTime() + seconds * 1_000));
        expect(await paid.account.verify({ ...paid.call, now: () => at(staleAfterSeconds + 5).receivedAt }, at(staleAfterSeconds + 5))).toEqual({
          ok: false,
          reason: "stale",
        });
        expect(await paid.account.verify({ ...paid.call, now: () => at(-staleAfterSeconds - 5).receivedAt }, at(-staleAfterSeconds - 5))).toEqual({
          ok: false,
          reason: "stale",
        });
      });
    }
  });

  describe("what the simulator's page offers", () => {
    test.for(simulator.outcomes)("%s can happen to a payment", async (outcome, { expect }) => {
      const paid = await paying(outcome.startsWith("dispute") ? "paid" : null);
      if (outcome.startsWith("dispute")) await queried(paid);
      if (outcome === "dispute_won" || outcome === "dispute_lost") await simulator.act(paid.world, { reference: paid.asked.reference, outcome: "disputed" });
      await expect(simulator.act(paid.world, { reference: paid.asked.reference, outcome })).resolves.toBeUndefined();
    });
  });
}
