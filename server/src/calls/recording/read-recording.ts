import { type Ctx, platformErrors, requireSigned, signedQuery, type Tenant } from "#platform/index.ts";
import { findCallRow } from "../rows.sql.ts";
import { shownOf } from "./shown-recording.ts";
import { findRecordingAnywhere, listRecordingRows } from "./sql.ts";

const purpose = "recording address";
const maxRecordings = 1_000;

/** A recording with an address that plays it to anyone who has it, for 15 minutes. */
export type FoundRecording = ReturnType<typeof shownOf> & { url: string };

/** The retained recordings of a call, newest first. Throws resource_missing. */
export async function listRecordings(ctx: Ctx, tenant: Tenant, { call_id }: { call_id: string }): Promise<FoundRecording[]> {
  if ((await findCallRow(ctx.db, tenant, call_id)) === null) throw platformErrors.resource_missing({ param: "id" });
  const rows = await listRecordingRows(ctx.db, tenant, { call_id, limit: maxRecordings });
  return rows.map((row) => ({
    ...shownOf(row),
    url: `${ctx.publicUrl}/recordings/${row.id}?${signedQuery(ctx, { purpose, id: row.id })}`,
  }));
}

interface Signed {
  id: string;
  expires: string;
  signature: string;
  /** Waits until this many bytes of the project may be read. */
  room(load: { project_id: string; bytes: number }): Promise<void>;
}

/**
 * The bytes behind a signed address, with the headers that they are served with. Throws permission_denied before any lookup,
 * resource_missing.
 */
export async function readSignedRecording(
  ctx: Ctx,
  { room, ...given }: Signed,
): Promise<{ bytes: Buffer; headers: Record<string, string> }> {
  const left = await requireSigned(ctx, { purpose, ...given });
  const row = await findRecordingAnywhere(ctx.db, given.id);
  if (row !== null) await room({ project_id: row.project_id, bytes: row.size_bytes });
  const bytes = row === null ? null : await ctx.files.get(row.storage_key);
  if (row === null || bytes === null) throw platformErrors.resource_missing();
  return {
    bytes,
    headers: {
      "content-type": "audio/wav",
      "content-length": String(bytes.length),
      "content-disposition": `inline; filename="${row.id}.wav"`,
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "same-site",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": `private, max-age=${left}`,
    },
  };
}
