import { leaveNothingOut } from "#test/support/run/short-form.ts";

leaveNothingOut();
await import("./close-payment.test.ts");
