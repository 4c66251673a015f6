import { expect, test } from "vitest";
import { mebibyte, openForSizes, tooLarge } from "#test/support/gateways/sized-responses.ts";

const { provider, answered } = await openForSizes();

test("a response that is too large is reported as that, and not requested again", async () => {
  const before = provider.received.length;
  await expect(answered("query", mebibyte + 1)).rejects.toMatchObject(tooLarge);
  expect(provider.received.slice(before).map(({ path }) => path)).toEqual(["/account", "/payments/ps_1"]);
});
