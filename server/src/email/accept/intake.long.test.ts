import { describe } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { batchIntake, emailIntake } from "#test/support/queues/email-intakes.ts";
import { intakeContract, intakeWait } from "#test/support/queues/intake-contract.ts";

const app = await testApp();

describe("one email", () => intakeWait(emailIntake(app)));

describe("a batch", () => {
  intakeContract(batchIntake(app));
  intakeWait(batchIntake(app));
});
