import { describe, expect, test } from "vitest";
import { errorOf, type GatewayUnderTest, openShops, queried } from "./shops.ts";

export function listContract(given: GatewayUnderTest): void {
  const { paying } = openShops(given);

  describe("the list of settled payments", () => {
    test("is never read from a response that has none, as if nothing had been settled", async () => {
      const paid = await paying("paid");
      const { account, call, world } = paid;
      const { listSettled } = account;
      if (listSettled === null) return expect(account.listSettled).toBeNull();
      await queried(paid);
      const from = world.now();
      world.pass(5 * 86_400);
      const fetch: typeof call.fetch = async (input, init) => {
        const { method } = new Request(input, init);
        return method === "GET" ? Response.json({}) : call.fetch(input, init);
      };
      const listed = listSettled.call(account, { ...call, fetch }, { from, to: world.now() });
      expect((await errorOf(listed)).kind).toBe("unavailable");
    });

    test("names a payment whose line can't be read, here because of an unknown currency, and doesn't omit it", async () => {
      const paid = await paying("paid");
      const { account, call, world, request } = paid;
      const { listSettled } = account;
      if (listSettled === null) return expect(account.listSettled).toBeNull();
      await queried(paid);
      const from = world.now();
      world.pass(5 * 86_400);
      const currency = new RegExp(`"${given.amount.currency}"`, "gi");
      let isWritten = false;
      const fetch: typeof call.fetch = async (input, init) => {
        const answer = await call.fetch(input, init);
        const text = await answer.clone().text();
        const changed = text.replaceAll(currency, '"XQQ"');
        if (changed === text) return answer;
        isWritten = true;
        return new Response(changed, { status: answer.status, headers: { "content-type": "application/json" } });
      };
      const lines = await listSettled.call(account, { ...call, fetch }, { from, to: world.now() });
      // WeChat Pay's bills have no currency that would say anything: all are in yuan.
      expect(lines).toMatchObject([{ kind: isWritten ? "unreadable" : "payment", reference: request.reference }]);
    });
  });
}
