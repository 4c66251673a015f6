import { type Ctx, type Page, type PageQuery, platformErrors, readPage, type Tenant } from "#platform/index.ts";
import { findVerificationRow } from "../rows/rows.sql.ts";
import type { CodeChannel, VerificationRow } from "../shapes.ts";
import { readAddressee } from "./read-addressee.ts";
import { findPendingRow, listVerificationRows, type VerificationFilters } from "./sql.ts";

/** One verification. Throws resource_missing. */
export async function findVerification(ctx: Ctx, tenant: Tenant, id: string): Promise<VerificationRow> {
  const row = await findVerificationRow(ctx.db, tenant, id);
  if (row === null) throw platformErrors.resource_missing({ param: "id" });
  return row;
}

/** Nothing is sent during a search, so every range is allowed. */
const anyRange = [..."123456789"];

/** The newest pending verification of a number or an address. Throws resource_missing. */
export async function findPendingVerification(ctx: Ctx, tenant: Tenant, to: string): Promise<VerificationRow> {
  const found = readAddressee(to, { strict: false, opened: anyRange });
  const row = "fault" in found ? null : await findPendingRow(ctx.db, tenant, found.recipient);
  if (row === null) throw noPending();
  return row;
}

/** The error for a recipient without a pending verification. */
export function noPending(): Error {
  return platformErrors.resource_missing({ param: "to", message: "This recipient has no pending verification." });
}

interface EventQuery extends PageQuery {
  filters: VerificationFilters;
  /** The channels that the reader has permission for. */
  readable: readonly CodeChannel[];
}

/** A page of verifications, newest first. Throws invalid_cursor for an id that isn't a verification of this tenant. */
export function listVerifications(ctx: Ctx, tenant: Tenant, { filters, readable, ...query }: EventQuery): Promise<Page<VerificationRow>> {
  return readPage(ctx.db, query, {
    find: (cut) => listVerificationRows(ctx.db, tenant, { filters, readable, cut }),
    place: async (id) => (await findVerificationRow(ctx.db, tenant, id))?.id ?? null,
  });
}
