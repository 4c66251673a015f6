import { test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { stallAfterBody } from "./mail-stall.ts";

const whole = await testApp();

test("a server that stalls ninety seconds after the body gets the message once", () =>
  stallAfterBody(whole, { stallMs: 90_000, leaseMs: 45_000 }));
