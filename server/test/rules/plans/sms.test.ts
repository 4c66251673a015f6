import { testSmsPlans } from "./sms.ts";

await testSmsPlans(6_000);
