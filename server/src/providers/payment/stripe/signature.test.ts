import { createHmac } from "node:crypto";
import Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { refusalOf } from "./signature.ts";

describe("the signature", () => {
  const secret = "test_secret";
  const time = 1_700_000_000;
  const at = (seconds: number) => new Date((time + seconds) * 1_000);
  const body = Buffer.from('{"id":"evt_1"}');
  const mac = (key: string, t: number | string = time) => createHmac("sha256", key).update(`${t}.`).update(body).digest("hex");

  test.each(["", '{"obj1":"hello","obj2":"world"}', "\u{1f600}"])("of Stripe's own library proves its body: %j", (payload) => {
    const header = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: time });
    expect(refusalOf(header, { body: Buffer.from(payload), secret, at: at(0) })).toBeNull();
    expect(refusalOf(header, { body: Buffer.from(`${payload} `), secret, at: at(0) })).toBe("signature");
  });

  test.each([
    ["one signature", `t=${time},v1=${mac(secret)}`],
    ["an older scheme beside it", `t=${time},v0=${"0".repeat(64)},v1=${mac(secret)}`],
    ["two signatures while a secret is rolled, ours second", `t=${time},v1=${mac("other")},v1=${mac(secret)}`],
    ["blanks between", `t=${time}, v1=${mac(secret)}`],
  ])("proves a body with %s", (_name, header) => {
    expect(refusalOf(header, { body, secret, at: at(0) })).toBeNull();
    expect(refusalOf(header, { body, secret, at: at(300) })).toBeNull();
    expect(refusalOf(header, { body, secret, at: at(-300) })).toBeNull();
  });

  test.each([
    ["none", undefined, 0, "signature"],
    ["an empty one", "", 0, "signature"],
    ["no time", `v1=${mac(secret)}`, 0, "signature"],
    ["two times", `t=${time},t=${time + 1},v1=${mac(secret)}`, 0, "signature"],
    ["a time that isn't the signed one", `t=${time + 1},v1=${mac(secret)}`, 0, "signature"],
    ["a time that is no number", `t=soon,v1=${mac(secret, "soon")}`, 0, "signature"],
    ["only the older scheme", `t=${time},v0=${mac(secret)}`, 0, "signature"],
    ["a short signature", `t=${time},v1=${mac(secret).slice(0, 62)}`, 0, "signature"],
    ["capital letters", `t=${time},v1=${mac(secret).toUpperCase()}`, 0, "signature"],
    ["another secret", `t=${time},v1=${mac("other")}`, 0, "signature"],
    ["an endless header", `t=${time},v1=${mac(secret)},${"v1=0,".repeat(2_000)}`, 0, "signature"],
    ["the right one behind too many others", `t=${time},${`v1=${mac("other")},`.repeat(10)}v1=${mac(secret)}`, 0, "signature"],
    ["a time too long ago", `t=${time},v1=${mac(secret)}`, 301, "stale"],
    ["a time still to come", `t=${time},v1=${mac(secret)}`, -301, "stale"],
  ])("with %s is refused", (_name, header, seconds, reason) => {
    expect(refusalOf(header, { body, secret, at: at(seconds) })).toBe(reason);
  });
});
