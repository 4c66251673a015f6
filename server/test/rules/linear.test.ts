import { testSteps } from "#test/support/poison/linear.ts";

await testSteps(3);
