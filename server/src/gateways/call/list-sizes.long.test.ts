import { expect, test } from "vitest";
import { mebibyte, openForSizes, tooLarge } from "#test/support/gateways/sized-responses.ts";

const { answered } = await openForSizes();

test("a provider's list of settled payments, or of refunds, may have 16 MiB a response, and any other response 1 MiB", async () => {
  for (const verb of ["list_settled", "query_refund"] as const) {
    await expect(answered(verb, 16 * mebibyte)).resolves.toMatchObject({ reference: "ps_1" });
    await expect(answered(verb, 16 * mebibyte + 1)).rejects.toMatchObject(tooLarge);
  }
  await expect(answered("query", mebibyte)).resolves.toMatchObject({ reference: "ps_1" });
});
