import { leaveNothingOut } from "#test/support/run/short-form.ts";

leaveNothingOut();
await import("./shared-accounts.test.ts");
