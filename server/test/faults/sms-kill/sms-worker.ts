import { type SmsWorkerPlan, startSmsWork } from "./sms-work.ts";

/** A program: sends a database's messages over SMPP until its parent exits. */
process.once("message", (plan: SmsWorkerPlan) => {
  startSmsWork(plan);
  process.send?.("working");
});
process.once("disconnect", () => process.exit(0));
