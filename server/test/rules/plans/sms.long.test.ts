import { testSmsPlans } from "./sms.ts";

await testSmsPlans(1_000_000);
