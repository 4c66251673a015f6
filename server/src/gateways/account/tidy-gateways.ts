import type { Ctx } from "#platform/index.ts";
import { deleteOldAttempts } from "../call/attempts.sql.ts";
import { deleteOldDocuments } from "../demo/documents.sql.ts";
import { deleteEndedFields } from "../rows/former.sql.ts";

const attemptDays = 30;
const demoDays = 14;

/** Removes the record of calls after a month, simulators' documents after two weeks, and expired previous fields. Returns how many rows. */
export async function tidyGateways(ctx: Ctx, limit = 1_000): Promise<number> {
  const fields = await ctx.transact((tx) => deleteEndedFields(tx, limit));
  const documents = await ctx.transact((tx) => deleteOldDocuments(tx, { days: demoDays, limit }));
  return fields + documents + (await ctx.transact((tx) => deleteOldAttempts(tx, { days: attemptDays, limit })));
}
