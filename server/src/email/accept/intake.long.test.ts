import { describe } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { batchIntake } from "#test/support/queues/email-intakes.ts";
import { intakeContract } from "#test/support/queues/intake-contract.ts";

const app = await testApp();

describe("a batch", () => intakeContract(batchIntake(app)));
