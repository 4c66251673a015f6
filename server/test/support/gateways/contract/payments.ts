import { describe, expect, test } from "vitest";
import {
  type CredentialFault,
  CredentialsInvalid,
  type GatewayAdapter,
  type GatewayAmount,
  GatewayError,
  takesAmount,
} from "#gateways/index.ts";
import { readCurrency } from "#platform/index.ts";
import { simulatedWorld } from "#test/support/gateways/simulated/simulated-world.ts";
import { errorOf, type GatewayUnderTest, nextId, openShops, queried, type Shop } from "./shops.ts";

function faultsOf(adapter: GatewayAdapter, fields: Record<string, string>): readonly CredentialFault[] {
  try {
    adapter.open(fields, { livemode: false });
  } catch (error) {
    if (error instanceof CredentialsInvalid) return error.faults;
    throw error;
  }
  return [];
}

export function accountContract(given: GatewayUnderTest): void {
  const { adapter, simulator } = given;
  const { open } = openShops(given);

  describe("an account", () => {
    let opened: Promise<Shop> | undefined;
    const opening = () => (opened ??= open());

    test("is opened from the fields of its form, and the same fields open the same account", async () => {
      const shop = await opening();
      const declared = adapter.manifest.fields.map(({ name }) => name);
      expect(declared).toEqual(expect.arrayContaining(Object.keys(shop.fields)));
      expect(adapter.manifest.fields.some(({ secret }) => secret)).toBe(true);
      expect(await simulator.openAccount(shop.world, "shop")).toEqual(shop.fields);
      expect(await simulator.openAccount(shop.world, "other")).not.toEqual(shop.fields);
    });

    test("is reached over HTTPS, at the provider's own address", () => {
      for (const url of Object.values(adapter.manifest.hosts ?? {})) expect(url).toMatch(/^https:\/\/[a-z0-9.-]+\.(?!invalid)[a-z]+$/);
    });

    test("without its fields is refused with all faults together, and no fault quotes a secret", () => {
      const required = adapter.manifest.fields.filter((field) => field.required).map(({ name }) => name);
      expect(faultsOf(adapter, {}).map(({ field, reason }) => [field, reason])).toEqual(required.map((name) => [name, "required"]));
      const marked = Object.fromEntries(adapter.manifest.fields.map(({ name }) => [name, `sk_Q7x!${name}\u0000`]));
      const faults = faultsOf(adapter, marked);
      expect(faults.length).toBeGreaterThan(0);
      for (const fault of faults) expect(JSON.stringify(fault)).not.toContain("Q7x");
    });

    test("is checked by a call that changes nothing, and wrong credentials are distinguished from an unreachable provider", async () => {
      const shop = await opening();
      if (shop.account.check === null) return expect(adapter.manifest.method.kind).toBe("gateway");
      await expect(shop.account.check(shop.call)).resolves.toBeDefined();
      const stranger = simulatedWorld();
      await simulator.openAccount(stranger, "somebody else");
      expect((await errorOf(shop.account.check(stranger.call(simulator)))).kind).toBe("auth");
      const away = {
        ...shop.call,
        fetch: async () => Promise.reject(Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } })),
      };
      expect((await errorOf(shop.account.check(away))).kind).toBe("unavailable");
    });
  });
}

export function paymentContract(given: GatewayUnderTest): void {
  const { simulator, amount } = given;
  const { paying } = openShops(given);

  describe("a payment", () => {
    test("is created with something for the buyer to do, and is pending", async () => {
      const { created, request } = await paying(null);
      expect(["display_qr", "redirect", "form", "wechat_jsapi"]).toContain(created.action.type);
      expect(created).toMatchObject({ state: "pending", paid: null });
      expect([request.reference, null]).toContain(created.reference);
    });

    test("created again under its reference is the same payment: the buyer can pay once", async () => {
      const paid = await paying(null);
      const again = await paid.account.create(paid.call, paid.request);
      expect(again.providerId).toBe(paid.created.providerId);
      await simulator.simulate(paid.world, { reference: paid.request.reference, outcome: "paid" });
      expect(await queried(paid)).toMatchObject({ state: "succeeded", paid: amount });
    });

    test("that the buyer paid has succeeded with exactly the requested amount, under our reference", async () => {
      const paid = await paying("paid");
      const snapshot = await queried(paid);
      expect(snapshot).toMatchObject({ state: "succeeded", paid: amount, failure: null });
      expect(snapshot.paidAt).toBeInstanceOf(Date);
      expect([false, null]).toContain(snapshot.livemode);
      expect([paid.request.reference, null]).toContain(snapshot.reference);
      if (paid.account.id !== null && snapshot.account !== null) expect(snapshot.account).toBe(paid.account.id);
    });
  });
}

export function creationContract(given: GatewayUnderTest): void {
  const { open, payment } = openShops(given);

  describe("the creation of a payment", () => {
    test("fails if the provider's response would lead the buyer to anything but a web page", async () => {
      const { world, account, call } = await open();
      const fetch: typeof globalThis.fetch = async (...request) => {
        const answer = await call.fetch(...request);
        const text = (await answer.text()).replaceAll(/"https?:[^"]*"/g, '"javascript:alert(1)"');
        return new Response(text, { status: answer.status, headers: answer.headers });
      };
      expect((await errorOf(account.create({ ...call, fetch }, payment(world)))).kind).toBe("unknown_outcome");
    });

    test("that should end sooner than the provider allows still succeeds, and again gives the same one", async () => {
      const { world, account, call } = await open();
      const request = payment(world, { expiresAt: new Date(world.now().getTime() + 45_000) });
      const created = await account.create(call, request);
      world.pass(15);
      expect((await account.create(call, request)).providerId).toBe(created.providerId);
    });

    test("repeated shortly before its end gives the same one", async () => {
      const { world, account, call } = await open();
      const request = payment(world);
      const created = await account.create(call, request);
      world.pass(3_540);
      expect((await account.create(call, request)).providerId).toBe(created.providerId);
    });
  });
}

/** The smallest amounts of each currency, of which a provider may not be able to write the second. */
function smallAmounts({ manifest }: GatewayAdapter): GatewayAmount[] {
  const { currencies } = manifest.method;
  const all = currencies === "any" ? Intl.supportedValuesOf("currency").filter((code) => readCurrency(code) !== null) : currencies;
  return all.flatMap((currency) => {
    const least = manifest.limits.minMinor(currency);
    return [least, least + 1].map((amount_minor) => ({ amount_minor, currency }));
  });
}

export function amountContract(given: GatewayUnderTest): void {
  const { adapter } = given;
  const { open, payment } = openShops(given);

  test("a payment is offered in exactly the amounts that the gateway can write, in every currency", async () => {
    const { world, account, call } = await open();
    const wrong: (GatewayAmount & { isOffered: boolean })[] = [];
    for (const amount of smallAmounts(adapter)) {
      const isOffered = takesAmount(adapter.manifest, amount);
      const refusal = await account.create(call, payment(world, { amount })).then(
        () => null,
        (error: unknown) => error,
      );
      if (isOffered !== (refusal === null)) wrong.push({ ...amount, isOffered });
    }
    expect(wrong).toEqual([]);
  });
}

export function endContract(given: GatewayUnderTest): void {
  const { simulator, amount } = given;
  const { open, paying } = openShops(given);

  describe("the end of a payment", () => {
    const ends = ["declined", "canceled", "expired", "processing", "auto_refunded"] as const;
    test.for(ends.filter((outcome) => simulator.outcomes.includes(outcome)))(
      "that ended as %s is reported as that, and not as paid",
      async (outcome, { expect }) => {
        const snapshot = await paying(outcome).then((one) => one.account.query(one.call, one.key));
        const states = {
          declined: ["failed", "pending"],
          canceled: ["canceled", "failed", "pending"],
          expired: ["expired", "canceled"],
          processing: ["processing"],
          auto_refunded: ["pending", "failed", "expired", "canceled"],
        };
        expect(states[outcome]).toContain(snapshot.state);
        expect(snapshot.paid).toBeNull();
      },
    );

    test("that doesn't exist isn't found", async () => {
      const { account, call } = await open();
      const error = await account.query(call, { reference: nextId("ps"), providerId: null }).then(
        (snapshot) => snapshot,
        (fault: unknown) => fault as GatewayError,
      );
      // A provider that only knows a payment once the buyer opened it reports it as pending.
      if (error instanceof GatewayError) expect(error.kind).toBe("not_found");
      else expect(error).toMatchObject({ state: "pending", paid: null });
    });

    test("that was closed can't be paid, and one that is paid can't be closed", async () => {
      const closing = await paying(null);
      if (closing.account.close === null) return expect(simulator.outcomes).toContain("late");
      expect(["closed", "absent", "unopened"]).toContain(await closing.account.close(closing.call, closing.key));
      const paid = await paying("paid");
      await queried(paid);
      expect(await paid.account.close?.(paid.call, paid.key)).toBe("already_paid");
    });

    test("paid after its end has still succeeded", async () => {
      if (!simulator.outcomes.includes("late")) return;
      const late = await paying("late");
      expect(await queried(late)).toMatchObject({ state: "succeeded", paid: amount });
    });
  });
}

export function failureContract(given: GatewayUnderTest): void {
  const { simulator, amount } = given;
  const { open, payment, paying } = openShops(given);

  describe("when the provider fails", () => {
    test.for([
      ["lost_answer", ["unknown_outcome"]],
      ["refused", ["unavailable"]],
      ["server_error", ["unknown_outcome", "unavailable"]],
      ["rate_limited", ["rate_limited"]],
      ["garbage", ["unknown_outcome"]],
    ] as const)(
      "%s while a payment is created is recognized, and a repeated request creates no second payment",
      async ([fault, kinds], { expect }) => {
        const { world, account, call } = await open();
        const request = payment(world);
        await account.check?.(call);
        await simulator.breakNext(world, fault);
        const first = await account.create(call, request).then(
          () => null,
          (error: unknown) => error,
        );
        // A payment that is only a signed address sends no request.
        if (first !== null) expect(first).toBeInstanceOf(GatewayError);
        if (first instanceof GatewayError) expect(given.looksFirst === true ? [...kinds, "unavailable"] : kinds).toContain(first.kind);
        const second = await account.create(call, request);
        await simulator.simulate(world, { reference: request.reference, outcome: "paid" });
        const key = { reference: request.reference, providerId: second.providerId };
        const snapshot = await account.query(call, key);
        const settled = snapshot.state === "processing" && account.capture !== null ? await account.capture(call, key) : snapshot;
        expect(settled).toMatchObject({ state: "succeeded", paid: amount });
      },
    );

    test.for(["refused", "server_error", "rate_limited", "garbage"] as const)(
      "%s while a payment is queried never looks like its end",
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
}
