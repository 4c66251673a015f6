import { leaveNothingOut } from "#test/support/run/short-form.ts";

leaveNothingOut();
await import("./draw-qr.test.ts");
