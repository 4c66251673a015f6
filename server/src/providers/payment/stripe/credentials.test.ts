import { describe, expect, test } from "vitest";
import { CredentialsInvalid } from "#gateways/index.ts";
import { openShop } from "#test/support/gateways/simulated/stripe-shop.ts";
import { stripe } from "./adapter.ts";

describe("credentials", () => {
  const key = `sk_test_${"a1".repeat(20)}`;

  test.each([
    ["a live key in TEST", { secret_key: key.replace("test", "live") }, false, [["secret_key", "wrong_environment"]]],
    ["a test key in LIVE", { secret_key: key }, true, [["secret_key", "wrong_environment"]]],
    ["a restricted test key in LIVE", { secret_key: key.replace("sk", "rk") }, true, [["secret_key", "wrong_environment"]]],
    ["the publishable key", { secret_key: key.replace("sk", "pk") }, false, [["secret_key", "malformed"]]],
    [
      "a key that is none, and a signing secret that is none",
      { secret_key: "abc", webhook_secret: "abc" },
      false,
      [
        ["secret_key", "malformed"],
        ["webhook_secret", "malformed"],
      ],
    ],
    ["no key", { webhook_secret: "whsec_abcdefgh" }, false, [["secret_key", "required"]]],
  ])("%s is refused", (_name, fields, livemode, faults) => {
    try {
      stripe.open(fields, { livemode });
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(CredentialsInvalid);
      expect((error as CredentialsInvalid).faults.map(({ field, reason }) => [field, reason])).toEqual(faults);
    }
  });

  test("with surrounding blanks are accepted", () => {
    expect(stripe.open({ secret_key: ` ${key}\n`, webhook_secret: "whsec_abcdefgh " }, { livemode: false }).id).toBeNull();
  });

  test("determine the account and its name", async () => {
    const { account, call } = await openShop();
    expect(await account.check?.(call)).toEqual({ account: expect.stringMatching(/^acct_/), name: "shop" });
  });

  test("that are a restricted key are checked for what they must be able to do", async () => {
    const { call, fields } = await openShop();
    const secret = fields["secret_key"] ?? "";
    // The simulated Stripe knows no restricted keys: this is what the real one answers to one that may not read the account.
    const restricted: typeof globalThis.fetch = async (input, init) => {
      if (String(input).endsWith("/v1/account"))
        return Response.json({ error: { type: "invalid_request_error", message: `${secret} may not` } }, { status: 403 });
      return call.fetch(input, {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init?.headers)), authorization: `Bearer ${secret}` },
      });
    };
    const account = stripe.open({ secret_key: secret.replace("sk_", "rk_") }, { livemode: false });
    expect(await account.check?.({ ...call, fetch: restricted })).toEqual({ account: null, name: null });
    const error = await stripe
      .open(fields, { livemode: false })
      .check?.({ ...call, fetch: restricted })
      .catch((fault: unknown) => fault);
    expect(error).toMatchObject({ kind: "auth" });
    expect(String((error as Error).message)).not.toContain(secret);
  });
});
