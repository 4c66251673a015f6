import { describe, expect, test } from "vitest";
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
      notifyUrl: paid.asked.notifyUrl,
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
  });
}

export function doubtContract(given: GatewayUnderTest): void {
  const { simulator } = given;
  const { paidOne, ended } = openRefunds(given);

  describe("a refund in doubt", () => {
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
}
