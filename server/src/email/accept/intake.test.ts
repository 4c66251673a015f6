import { describe } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { batchIntake, emailIntake } from "#test/support/queues/email-intakes.ts";
import { intakeContract, intakeSample } from "#test/support/queues/intake-contract.ts";

const app = await testApp();

describe("one email", () => intakeContract(emailIntake(app)));

describe("a batch", () => intakeSample(batchIntake(app)));
