import { testApp } from "#test/support/app/test-app.ts";
import { intakeWait } from "#test/support/queues/intake-contract.ts";
import { orderIntake } from "#test/support/queues/order-intake.ts";

intakeWait(orderIntake(await testApp()));
