import { test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { stallAfterBody } from "./mail-stall.ts";

const whole = await testApp();

test("a server that takes three leases to respond to a body gets the message once", () =>
  stallAfterBody(whole, { stallMs: 6_000, leaseMs: 2_000 }));
