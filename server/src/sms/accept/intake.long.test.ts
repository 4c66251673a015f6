import { describe } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { intakeContract, intakeWait } from "#test/support/queues/intake-contract.ts";
import { smsBatchIntake, smsIntake } from "#test/support/queues/sms-intakes.ts";

const app = await testApp();

describe("one SMS", () => intakeWait(smsIntake(app)));

describe("a batch", () => {
  intakeContract(smsBatchIntake(app));
  intakeWait(smsBatchIntake(app));
});
