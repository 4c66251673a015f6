import { describe, expect, test } from "vitest";
import { CredentialsInvalid, type SimulatedCallback, type SimulatedOutcome } from "#gateways/index.ts";
import { received } from "#test/support/gateways/simulated/simulated-world.ts";
import { type GatewayUnderTest, nextId, openShops, queried, type Shop } from "./shops.ts";

/** Payments that were paid, with the callback that reports it. */
function openCallbacks(given: GatewayUnderTest) {
  const { simulator } = given;
  const { paying } = openShops(given);
  const openCallback = async () => {
    const paid = await paying("paid");
    await queried(paid);
    return { ...paid, callback: await simulator.callbackOf(paid.world, paid.request.reference) };
  };
  const verdictOf = (shop: Shop, callback: Pick<SimulatedCallback, "url" | "headers" | "body">) =>
    shop.account.verify(shop.call, received(callback, shop.world.now()));
  return { openCallback, verdictOf };
}

export function callbackContract(given: GatewayUnderTest): void {
  const { adapter, amount } = given;
  const { openCallback, verdictOf } = openCallbacks(given);

  describe("a callback", () => {
    test("goes to the URL that the payment specified, is accepted, and identifies the payment", async () => {
      const paid = await openCallback();
      if (adapter.manifest.callbackPerPayment) expect(paid.callback.url).toBe(paid.request.notifyUrl);
      const raw = received(paid.callback, paid.world.now());
      expectHintAt(paid.account, adapter.hint(raw));
      const verdict = await paid.account.verify(paid.call, raw);
      if (!verdict.ok) throw new Error(`refused: ${verdict.reason}`);
      if (verdict.report.kind === "payment") expect(verdict.report.payment).toMatchObject({ state: "succeeded", paid: amount });
      else expect(verdict.report).toMatchObject({ kind: "ask" });
    });

    test("is refused until the provider's value for that URL is entered in its field", async () => {
      const field = adapter.manifest.callbackEntry?.field;
      expect(field === undefined).toBe(adapter.manifest.callbackPerPayment);
      if (field === undefined) return;
      const { world, call, callback, fields } = await openCallback();
      expect(adapter.manifest.fields.find(({ name }) => name === field)).toMatchObject({ required: false });
      const { [field]: _entered, ...others } = fields;
      const raw = received(callback, world.now());
      expect(await adapter.open(others, { livemode: false }).verify(call, raw)).toEqual({ ok: false, reason: "unknown_key" });
    });

    test("sent again has the same key, and another event has another", async () => {
      const paid = await openCallback();
      const first = await verdictOf(paid, paid.callback);
      const repeat = paid.callback.again === null ? paid.callback : { ...paid.callback, ...(await paid.callback.again()) };
      expect(await verdictOf(paid, repeat)).toMatchObject({ ok: true, dedupeKey: first.ok ? first.dedupeKey : "" });
      const other = await openCallback();
      const second = await verdictOf(other, other.callback);
      expect(second.ok && first.ok && second.dedupeKey !== first.dedupeKey).toBe(true);
    });

    test("gets a response that the provider accepts, and for a failure of ours one that makes the provider repeat it", async () => {
      const { callback } = await openCallback();
      expect(callback.accepts(adapter.answer("stored"))).toBe(true);
      expect(callback.accepts(adapter.answer("failed"))).toBe(false);
      expect(adapter.answer("failed").status, "500 would be a fault of ours").toBe(503);
      for (const refusal of ["signature", "stale", "unknown_key", "malformed"] as const)
        expect(adapter.answer(refusal).status).toBeGreaterThanOrEqual(200);
      expect(callback.retrySeconds.length).toBeGreaterThan(0);
    });
  });
}

/** What a callback says about its account before its signature is verified is true of that account. */
function expectHintAt({ id, keyIds }: Shop["account"], hint: ReturnType<GatewayUnderTest["adapter"]["hint"]>): void {
  expect(hint).not.toBeNull();
  if (hint?.account != null && id !== null) expect(hint.account).toBe(id);
  // An account that learns its provider's keys only by requesting them lists none.
  if (hint?.keyId != null && keyIds.length > 0) expect(keyIds).toContain(hint.keyId);
}

export function forgeryContract(given: GatewayUnderTest): void {
  const { adapter, simulator } = given;
  const { openCallback, verdictOf } = openCallbacks(given);

  describe("a forged callback", () => {
    test("with any byte changed is refused, and so is one of another account or without its signature", async () => {
      const paid = await openCallback();
      const { callback } = paid;
      const middle = Math.floor(callback.body.length / 2);
      for (const at of [0, middle, callback.body.length - 1]) {
        const changed = `${callback.body.slice(0, at)}${callback.body.charAt(at) === "7" ? "8" : "7"}${callback.body.slice(at + 1)}`;
        expect(await verdictOf(paid, { ...callback, body: changed })).toMatchObject({ ok: false });
      }
      expect(await verdictOf(paid, { ...callback, body: "" })).toMatchObject({ ok: false });
      expect(
        await verdictOf(paid, {
          ...callback,
          headers: { "content-type": "application/json" },
          body: callback.body.replace(/sign=[^&]*&?/, ""),
        }),
      ).toMatchObject({ ok: false });
      const stranger = adapter.open(await simulator.openAccount(paid.world, "other"), { livemode: false });
      expect(await stranger.verify(paid.call, received(callback, paid.world.now()))).toMatchObject({ ok: false });
    });

    test("is distinguished from a genuine one that former fields prove, whichever field was replaced since", async () => {
      const paid = await openCallback();
      const raw = received(paid.callback, paid.world.now());
      const others = await simulator.openAccount(paid.world, "other");
      for (const [name, value] of Object.entries(others)) {
        const current = openedWith(adapter, { ...paid.fields, [name]: value });
        // Another account's fields aren't replaced by this one's.
        if (current === null || current.id !== paid.account.id) continue;
        const verdict = await current.verify(paid.call, raw);
        if (!verdict.ok) expect(["signature", "unknown_key"], name).toContain(verdict.reason);
      }
    });

    test("that isn't a callback at all is refused without an error", async () => {
      const { account, call, world, callback } = await openCallback();
      const bodies = ["", "{", "null", "[]", '"x"', "id=", "a=b&a=c", "\u0000", `{"x":${"[".repeat(2_000)}`, "x".repeat(200_000)];
      for (const body of bodies) {
        const raw = received({ ...callback, body }, world.now());
        expect(() => adapter.hint(raw)).not.toThrow();
        expect(await account.verify(call, raw)).toMatchObject({ ok: false });
        expect(await account.verify(call, { ...raw, headers: {} })).toMatchObject({ ok: false });
      }
    });
  });
}

/** Null if the fields don't belong together. */
function openedWith(adapter: GatewayUnderTest["adapter"], fields: Record<string, string>) {
  try {
    return adapter.open(fields, { livemode: false });
  } catch (error) {
    if (error instanceof CredentialsInvalid) return null;
    throw error;
  }
}

export function ageContract(given: GatewayUnderTest): void {
  const { openCallback } = openCallbacks(given);

  describe("the age of a callback", () => {
    const { staleAfterSeconds } = given;
    if (staleAfterSeconds !== null) {
      test("is checked: one that is too old is refused, and so is one from the future", async () => {
        const paid = await openCallback();
        const at = (seconds: number) => received(paid.callback, new Date(paid.world.now().getTime() + seconds * 1_000));
        expect(
          await paid.account.verify({ ...paid.call, now: () => at(staleAfterSeconds + 5).receivedAt }, at(staleAfterSeconds + 5)),
        ).toEqual({
          ok: false,
          reason: "stale",
        });
        expect(
          await paid.account.verify({ ...paid.call, now: () => at(-staleAfterSeconds - 5).receivedAt }, at(-staleAfterSeconds - 5)),
        ).toEqual({
          ok: false,
          reason: "stale",
        });
      });
    }
  });
}

/** What must happen to a payment, one after the other, for an outcome to be possible. */
const stepsTo = (outcome: SimulatedOutcome): SimulatedOutcome[] =>
  outcome.startsWith("dispute") ? [...new Set<SimulatedOutcome>(["paid", "disputed", outcome])] : [outcome];

export function eventContract(given: GatewayUnderTest): void {
  const { adapter, simulator, amount } = given;
  const { open, payment } = openShops(given);

  test("every callback that reports something is listed in the manifest", async () => {
    const shop = await open();
    const { world, account, call } = shop;
    await simulator.enterCallbackUrl?.(world, { account: "shop", url: payment(world).notifyUrl });
    const happened = async (steps: readonly SimulatedOutcome[]) => {
      const request = payment(world);
      const created = await account.create(call, request);
      const paid = { ...shop, request, created, key: { reference: request.reference, providerId: created.providerId } };
      for (const outcome of steps) {
        await simulator.simulate(world, { reference: request.reference, outcome });
        if (outcome === "paid") await queried(paid);
      }
      return paid;
    };
    for (const outcome of simulator.outcomes) await happened(stepsTo(outcome));
    for (const outcome of given.refundsAreFinal === true ? (["succeeded"] as const) : (["succeeded", "failed_later"] as const)) {
      const { request, key } = await happened(["paid"]);
      const { captureId } = await account.query(call, key);
      const part = { ...amount, amount_minor: 300 };
      const refund = {
        ...key,
        captureId,
        refundReference: nextId("rf"),
        amount: part,
        total: amount,
        reason: null,
        notifyUrl: request.notifyUrl,
      };
      await account.refund(call, refund);
      await simulator.simulateRefund(world, { refundReference: refund.refundReference, outcome });
    }
    const seen = new Set<string>();
    for (const callback of world.sent) {
      const verdict = await account.verify(call, received(callback, world.now()));
      if (verdict.ok && verdict.report.kind !== "nothing") seen.add(verdict.event);
    }
    expect(seen.size).toBeGreaterThan(0);
    expect([...seen].filter((event) => !adapter.manifest.callbackEvents.includes(event))).toEqual([]);
  });
}

export function pageContract(given: GatewayUnderTest): void {
  const { simulator } = given;
  const { paying } = openShops(given);

  describe("the options of the simulator's page", () => {
    test.for(simulator.outcomes)("%s can happen to a payment", async (outcome, { expect }) => {
      const paid = await paying(outcome.startsWith("dispute") ? "paid" : null);
      if (outcome.startsWith("dispute")) await queried(paid);
      if (outcome === "dispute_won" || outcome === "dispute_lost")
        await simulator.simulate(paid.world, { reference: paid.request.reference, outcome: "disputed" });
      await expect(simulator.simulate(paid.world, { reference: paid.request.reference, outcome })).resolves.toBeUndefined();
    });
  });
}
