import { testSteps } from "./poison/linear.ts";

await testSteps(3);
