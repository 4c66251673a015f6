import { leaveNothingOut } from "#test/support/run/short-form.ts";

leaveNothingOut();
await import("./held-money.test.ts");
