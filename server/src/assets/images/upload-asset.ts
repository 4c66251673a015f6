import { randomBytes } from "node:crypto";
import { auditIfPerson } from "#audit/index.ts";
import { type Ctx, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { assetErrors } from "../errors.ts";
import {
  type AssetPurpose,
  type AssetRow,
  deleteUnownedFile,
  insertAsset,
  insertLooks,
  insertUnownedFile,
  updateUnownedFile,
} from "../sql.ts";
import { detectFormat } from "./detect-format.ts";
import type { PictureRead } from "./reencode-picture.ts";
import { runPicture } from "./run-picture.ts";
import { type Spooled, spoolUpload, tooLarge, uploadBytesMax } from "./spool-upload.ts";

export interface AssetInput {
  purpose: AssetPurpose;
  /** Bytes, a stream of them, or a file that `spoolUpload` already wrote and the caller removes. */
  file: Uint8Array | AsyncIterable<Uint8Array> | Spooled;
}

/** An asset that was checked, re-encoded and stored, and that nothing refers to yet. */
export interface PreparedAsset extends AssetRow {
  shades: string;
}

const logoBytesMax = 512 * 1024;
const logoSide = 1024;
const unownedMs = 3_600_000;

/**
 * Checks, re-encodes and stores a picture in one step. As part of a larger operation, use `prepareAsset`, and `keepAsset` in that
 * operation's transaction.
 */
export async function uploadAsset(ctx: Ctx, tenant: Tenant, input: AssetInput): Promise<AssetRow> {
  const prepared = await prepareAsset(ctx, tenant, input);
  try {
    return await ctx.transact(async (tx) => {
      await keepAsset(tx, prepared);
      const { shades: _looks, ...asset } = prepared;
      const detail = { purpose: input.purpose };
      await auditIfPerson(tx, { ctx, tenant, action: "asset.uploaded", object_type: "asset", object_id: asset.id, detail });
      return asset;
    });
  } finally {
    await discardAsset(ctx, prepared);
  }
}

/**
 * Does everything for a picture that needs no transaction: checks it, re-encodes it, stores its bytes. Nothing refers to it until
 * `keepAsset`; otherwise its bytes are swept after an hour. Throws file_too_large, unsupported_media_type, image_unreadable.
 */
export async function prepareAsset(ctx: Ctx, tenant: Tenant, input: AssetInput): Promise<PreparedAsset> {
  const given = input.file;
  if ("path" in given) return prepareSpooled(ctx, tenant, { purpose: input.purpose, spooled: given });
  const spooled = await spoolUpload(given);
  try {
    return await prepareSpooled(ctx, tenant, { purpose: input.purpose, spooled });
  } finally {
    await spooled.remove();
  }
}

/** Commits a prepared asset, in the transaction that needs it. */
export async function keepAsset(tx: Tx, prepared: PreparedAsset): Promise<void> {
  await insertAsset(tx, prepared);
  await insertLooks(tx, prepared, Buffer.from(prepared.shades, "base64"));
  await deleteUnownedFile(tx, prepared.storage_key);
}

/** Cleans up a prepared asset: its bytes are removed unless it was kept. Call it in a `finally`. */
export async function discardAsset(ctx: Ctx, prepared: AssetRow): Promise<void> {
  if (!(await updateUnownedFile(ctx.db, prepared.storage_key))) return;
  await ctx.files.remove(prepared.storage_key);
  await deleteUnownedFile(ctx.db, prepared.storage_key);
}

async function prepareSpooled(ctx: Ctx, tenant: Tenant, given: { purpose: AssetPurpose; spooled: Spooled }): Promise<PreparedAsset> {
  const { purpose, spooled } = given;
  refuseOutright(spooled, purpose);
  const owner = `${tenant.project_id} ${tenant.livemode ? "live" : "test"}`;
  const { bytes, read } = await runPicture({
    owner,
    from: spooled.path,
    decode: purpose === "collection_qr",
    logoSide: purpose === "logo" ? logoSide : null,
  });
  const storageKey = `assets/${randomBytes(16).toString("hex")}`;
  await insertUnownedFile(ctx.db, storageKey, unownedMs);
  await ctx.files.put(storageKey, bytes);
  return rowOf(ctx, tenant, { purpose, spooled, read, storageKey });
}

function refuseOutright(spooled: Spooled, purpose: AssetPurpose): void {
  const bytesMax = purpose === "logo" ? logoBytesMax : uploadBytesMax;
  if (spooled.size_bytes > bytesMax) throw assetErrors.file_too_large({ param: "file", message: tooLarge(bytesMax) });
  const format = detectFormat(spooled.head);
  if (format === "heic") {
    throw platformErrors.unsupported_media_type({
      param: "file",
      reason: "heic_picture",
      message: "HEIC images aren't supported. Save the image as JPEG, or send a screenshot.",
    });
  }
  if (format === null)
    throw platformErrors.unsupported_media_type({
      param: "file",
      reason: "not_a_picture",
      message: "The file isn't a JPEG, PNG or WebP image.",
    });
}

function rowOf(
  ctx: Ctx,
  tenant: Tenant,
  given: { purpose: AssetPurpose; spooled: Spooled; read: PictureRead; storageKey: string },
): PreparedAsset {
  const { texts, ...read } = given.read;
  const now = ctx.now();
  return {
    ...read,
    id: ctx.id("ast"),
    project_id: tenant.project_id,
    livemode: tenant.livemode,
    purpose: given.purpose,
    original_sha256: given.spooled.sha256,
    decoded_payload: texts?.length === 1 ? (texts[0] ?? null) : null,
    decoded_payloads: texts ?? [],
    decode_fault: texts === null || texts.length === 1 ? null : texts.length === 0 ? "no_code" : "several_codes",
    storage_key: given.storageKey,
    created_at: now,
    updated_at: now,
  };
}
