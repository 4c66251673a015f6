import { testSteps } from "./linear.ts";

await testSteps(3);
