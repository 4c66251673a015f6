import { test } from "vitest";
import { house } from "#test/support/house/house.ts";
import { stallAfterBody } from "./mail-stall.ts";

const whole = await house();

test("a server that takes three leases to answer a body gets the message once", () => stallAfterBody(whole, { stallMs: 6_000, leaseMs: 2_000 }));
