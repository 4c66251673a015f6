import { describe, expect, test } from "vitest";
import { GatewayError } from "#gateways/index.ts";
import { received } from "#test/support/gateways/simulated/simulated-world.ts";
import { errorOf, type GatewayUnderTest, nextId, openShops, queried } from "./shops.ts";

/** A payment that was paid, and refunds of it. */
function openRefunds(given: GatewayUnderTest) {
  const { amount } = given;
  const { paying } = openShops(given);
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
      notifyUrl: paid.request.notifyUrl,
    });
    return { ...paid, snapshot, refundOf };
  };
  const ended = async (paid: Awaited<ReturnType<typeof paidOne>>, refundReference: string, providerRefundId: string | null) =>
    paid.account.queryRefund(paid.call, { ...paid.key, captureId: paid.snapshot.captureId, refundReference, providerRefundId });
  return { paidOne, ended };
}

export function refundContract(given: GatewayUnderTest): void {
  const { simulator, amount } = given;
  const { paidOne, ended } = openRefunds(given);

  describe("a refund", () => {
    test("requested twice under one reference is made once", async () => {
      const paid = await paidOne();
      const reference = nextId("rf");
      const first = await paid.account.refund(paid.call, paid.refundOf(reference, 300));
      expect(["pending", "requires_action", "succeeded"]).toContain(first.state);
      const again = await paid.account.refund(paid.call, paid.refundOf(reference, 300));
      expect(again.providerRefundId).toBe(first.providerRefundId);
      await simulator.simulateRefund(paid.world, { refundReference: reference, outcome: "succeeded" });
      expect((await ended(paid, reference, first.providerRefundId)).state).toBe("succeeded");
      const { refunded } = await paid.account.query(paid.call, paid.key);
      if (refunded !== null) expect(refunded).toEqual({ ...amount, amount_minor: 300 });
    });

    test("is found by the provider's number alone if the provider has such a query, as one that a person made there must be", async () => {
      const paid = await paidOne();
      const refundReference = nextId("rf");
      const { providerRefundId } = await paid.account.refund(paid.call, paid.refundOf(refundReference, 300));
      if (providerRefundId === null) return;
      const found = await ended(paid, "", providerRefundId).catch((error: unknown) => error);
      if (found instanceof GatewayError) expect(found.kind).toBe("invalid");
      else expect(found).toMatchObject({ refundReference, providerRefundId, amount: { ...amount, amount_minor: 300 } });
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
  });
}

export function reportedRefundContract(given: GatewayUnderTest): void {
  const { simulator, amount } = given;
  const { paidOne, ended } = openRefunds(given);

  describe("a report about a refund", () => {
    test("by callbacks identifies it and its payment, or causes a query about the payment", async () => {
      const paid = await paidOne();
      const reference = nextId("rf");
      const before = paid.world.sent.length;
      await paid.account.refund(paid.call, paid.refundOf(reference, 300));
      await simulator.simulateRefund(paid.world, { refundReference: reference, outcome: "succeeded" });
      for (const callback of paid.world.sent.slice(before)) {
        const verdict = await paid.account.verify(paid.call, received(callback, paid.world.now()));
        if (!verdict.ok) throw new Error(`refused: ${verdict.reason}`);
        const { report } = verdict;
        if (report.kind !== "refund") expect(["payment", "ask", "nothing"]).toContain(report.kind);
        else {
          expect([reference, null]).toContain(report.refund.refundReference);
          expect(report.refund.amount).toEqual({ ...amount, amount_minor: 300 });
          const named =
            "captureId" in report.payment
              ? [report.payment.captureId, paid.snapshot.captureId]
              : [report.payment.reference, paid.request.reference];
          expect(named[0]).toBe(named[1]);
        }
      }
    });

    test("that the buyer must claim contains a page on which they do, until they did", async () => {
      const paid = await paidOne();
      const reference = nextId("rf");
      const first = await paid.account.refund(paid.call, paid.refundOf(reference, 300));
      if (first.state !== "requires_action") return expect(first.claimUrl).toBeNull();
      expect(new URL(first.claimUrl ?? "").protocol).toBe("https:");
      expect(await ended(paid, reference, null)).toMatchObject({ state: "requires_action", claimUrl: first.claimUrl });
      await simulator.simulateRefund(paid.world, { refundReference: reference, outcome: "succeeded" });
      expect(await ended(paid, reference, first.providerRefundId)).toMatchObject({ state: "succeeded", claimUrl: null });
    });
  });
}

export function doubtContract(given: GatewayUnderTest): void {
  const { simulator } = given;
  const { paidOne, ended } = openRefunds(given);

  describe("a refund in doubt", () => {
    test("whose response is lost is found by a query, and requesting it again doesn't repeat it", async () => {
      const paid = await paidOne();
      const reference = nextId("rf");
      await simulator.breakNext(paid.world, "lost_answer");
      expect((await errorOf(paid.account.refund(paid.call, paid.refundOf(reference, 300)))).kind).toBe("unknown_outcome");
      const again = await paid.account.refund(paid.call, paid.refundOf(reference, 300));
      await simulator.simulateRefund(paid.world, { refundReference: reference, outcome: "succeeded" });
      expect((await ended(paid, reference, again.providerRefundId)).state).toBe("succeeded");
      const { refunded } = await paid.account.query(paid.call, paid.key);
      if (refunded !== null) expect(refunded.amount_minor).toBe(300);
    });

    test("whose response is lost is found only by our reference, without requesting it again", async () => {
      const paid = await paidOne();
      const reference = nextId("rf");
      await simulator.breakNext(paid.world, "lost_answer");
      await errorOf(paid.account.refund(paid.call, paid.refundOf(reference, 300)));
      const found = await ended(paid, reference, null);
      expect(["pending", "requires_action", "succeeded"]).toContain(found.state);
      expect([reference, null]).toContain(found.refundReference);
      if (found.amount !== null) expect(found.amount).toEqual({ ...given.amount, amount_minor: 300 });
    });

    test("that doesn't exist isn't found", async () => {
      const paid = await paidOne();
      expect((await errorOf(ended(paid, nextId("rf"), null))).kind).toBe("not_found");
    });
  });
}

export function failedRefundContract(given: GatewayUnderTest): void {
  const { simulator } = given;
  const { paidOne, ended } = openRefunds(given);

  describe("a refund that fails", () => {
    test("because the provider decides against it says why", async () => {
      if (given.refundsAreFinal === true) return;
      const paid = await paidOne();
      const reference = nextId("rf");
      const first = await paid.account.refund(paid.call, paid.refundOf(reference, 300));
      if (first.state === "succeeded") return;
      await simulator.simulateRefund(paid.world, { refundReference: reference, outcome: "failed" });
      expect(await ended(paid, reference, first.providerRefundId)).toMatchObject({
        state: "failed",
        failure: { code: expect.any(String) },
      });
    });

    test("because it couldn't be paid out has failed, also after it had succeeded", async () => {
      const paid = await paidOne();
      const reference = nextId("rf");
      const { providerRefundId } = await paid.account.refund(paid.call, paid.refundOf(reference, 300));
      const failing = simulator.simulateRefund(paid.world, { refundReference: reference, outcome: "failed_later" });
      if (given.refundsAreFinal === true) return expect(failing).rejects.toThrow();
      await failing;
      expect((await ended(paid, reference, providerRefundId)).state).toBe("failed");
    });
  });
}
