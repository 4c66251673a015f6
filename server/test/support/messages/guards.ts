import { createCall } from "#calls/index.ts";
import { changeOperatorCaps, findSpending, readPace, readTierCaps, type SomeCaps } from "#guards/index.ts";
import { AppError, type Tenant } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { openSms, scriptedCarrier, smsRoom } from "./sms.ts";

/** An app with the usual guards, whose LIVE SMS and calls have a transport. */
export async function guardedApp() {
  const carrier = scriptedCarrier();
  const app = await testApp({
    sms: openSms([carrier]),
    calls: { hasRoute: () => true, mayUse: async () => true },
    guards: { caps: readTierCaps([]), pace: readPace([]) },
  });
  const { ctx } = app;
  let numbers = 2_000;
  return {
    ...{ app, ctx, carrier, room: smsRoom(ctx, [carrier]) },
    set: (tenant: Tenant, operator_caps: SomeCaps) =>
      changeOperatorCaps(ctx, { project_id: tenant.project_id, operator_caps, if_version: null }),
    call: (tenant: Tenant, to = "+14155552671", more = {}) =>
      createCall(ctx, tenant, { tier: "pro", call: { from: "+14155550100", to, text: "Hello", ...more } }),
    /** What was spent today and this month, by what is counted. */
    async usedOf(tenant: Tenant) {
      const { measures } = await findSpending(ctx, tenant);
      return Object.fromEntries(measures.flatMap(({ measure, day, month }) => (month.used > 0 ? [[measure, [day.used, month.used]]] : [])));
    },
    /** An American number that no other test of the file uses. */
    newNumber: () => `+1415555${String((numbers += 1)).padStart(4, "0")}`,
  };
}

/** The outcome of an operation: `done`, or why it was refused. */
export function outcomeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "done",
    (error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      return error.extras.reason ?? error.extras.details?.[0]?.reason ?? error.code;
    },
  );
}

/** A refusal's code, and the seconds after which to retry. */
export function refusalOf(work: Promise<unknown>): Promise<{ code: string; after: number }> {
  return work.then(
    () => Promise.reject(new Error("it was not refused")),
    (error: AppError) => ({ code: error.code, after: Number(error.extras.headers?.["retry-after"]) }),
  );
}
