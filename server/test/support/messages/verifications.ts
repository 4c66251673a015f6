import { listEventsOf } from "#events/sql.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { processVerifications } from "#verifications/due/process-verifications.ts";
import { startVerification, type VerificationInput, type VerificationRow } from "#verifications/index.ts";
import { findVerification } from "#verifications/read/find-verification.ts";

/** The code of every verification in TEST. */
export const testCode = "424242";

/** A verification by SMS to the simulator's number that receives everything, with the fields that a test specifies. */
export function codeFor(given: Partial<VerificationInput> = {}): VerificationInput {
  return { to: "+15005551000", channels: ["sms"], ...given };
}

export interface VerificationRoom {
  start(tenant: Tenant, given?: Partial<VerificationInput>): Promise<VerificationRow>;
  find(row: VerificationRow): Promise<VerificationRow>;
  /** Runs a worker until nothing is due now. */
  processDue(): Promise<void>;
  /** Names of a verification's events, oldest first, without `verification.`. */
  eventsOf(row: VerificationRow): Promise<string[]>;
}

export function verificationRoom(ctx: Ctx): VerificationRoom {
  return {
    start: (tenant, given) => startVerification(ctx, tenant, { tier: "pro", verification: codeFor(given) }),
    find: (row) => findVerification(ctx, row, row.id),
    async processDue() {
      while ((await processVerifications(ctx)) > 0);
    },
    async eventsOf({ project_id, livemode, id }) {
      const rows = await listEventsOf(ctx.db, { project_id, livemode }, { object_id: id, after: null, limit: 100 });
      return rows.reverse().map((row) => row.event.replace("verification.", ""));
    },
  };
}

/** Names of the tables in which some row contains the text. */
export async function tablesThatHold(ctx: Ctx, text: string): Promise<string[]> {
  const tables = await runStatement<{ name: string }>(
    ctx.db,
    "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    // Bytes are written in hexadecimal, so a text within them is searched in that form too.
    const hex = Buffer.from(text).toString("hex");
    const [row] = await runStatement<{ some: boolean }>(
      ctx.db,
      `select exists (select from ${name} t where strpos(t::text, ?) > 0 or strpos(t::text, ?) > 0) as some`,
      text,
      hex,
    );
    if (row?.some === true) found.push(name);
  }
  return found;
}
