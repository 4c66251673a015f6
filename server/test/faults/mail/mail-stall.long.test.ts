import { test } from "vitest";
import { house } from "#test/support/house/house.ts";
import { stallAfterBody } from "./mail-stall.ts";

const whole = await house();

test("a server that stalls ninety seconds after the body gets the message once", () => stallAfterBody(whole, { stallMs: 90_000, leaseMs: 45_000 }));
