import { type MailWorkerPlan, startMailWork } from "./mail-work.ts";

/** A program: sends a database's emails to one server until its parent exits. */
process.once("message", (plan: MailWorkerPlan) => {
  startMailWork(plan);
  process.send?.("working");
});
process.once("disconnect", () => process.exit(0));
