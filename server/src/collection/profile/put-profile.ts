import { type AssetRow, listCodes, releaseAsset, requirePurpose, useAsset } from "#assets/index.ts";
import { recordAudit } from "#audit/index.ts";
import { identityErrors } from "#identity/index.ts";
import { type Ctx, isUniqueViolation, notice, platformErrors, type Tenant, type Tx } from "#platform/index.ts";
import { findProject } from "#projects/index.ts";
import { chooseAccount, moveAskings } from "../account/find-account.ts";
import type { Channel } from "../channels.ts";
import { chooseCode, severalCodes } from "../code/choose-code.ts";
import { type IdentifiedCode, identifyCode } from "../code/identify-code.ts";
import { collectionErrors } from "../errors.ts";
import { type IgnoreRule, insertProfile, lockProfile, type MatchingMode, type ProfileRow, updateProfile } from "./sql.ts";

export interface ProfileInput {
  channel: Channel;
  /** The version that the caller saw; null overwrites any version. */
  if_version: number | null;
  qr_payload?: string | null;
  qr_asset_id?: string | null;
  /** Accepts a picture without a readable code; it is then shown as it is. */
  allow_image_only?: boolean;
  /** Accepts a code that requests the same amount from every buyer. */
  confirm_fixed_amount?: boolean;
  enabled?: boolean;
  payee_name?: string | null;
  instructions?: Record<string, string>;
  matching?: { mode?: MatchingMode; max_offset_minor?: number; strict?: boolean };
  session_minutes?: number;
  limits?: { min_minor?: number | null; max_minor?: number | null; daily_total_minor?: number | null };
  /** The account that the code pays into; absent: as before, or that of the merchant's profile with the same code. */
  account_ref?: string | null;
  /** Absent: unchanged. */
  ignore_rules?: IgnoreRule[];
}

const defaultOffsetMinor = 99;
const defaultSessionMinutes = 30;
const takenMeanwhile = ["collection_profiles_channel", "askings_amount", "askings_code"];

/**
 * Sets a channel's receiving code and rules; absent fields return to their defaults. In LIVE only a signed-in person may, because a leaked
 * key must not redirect payments, and the merchant is notified. Open sessions keep their code.
 */
export async function putProfile(ctx: Ctx, tenant: Tenant, input: ProfileInput): Promise<ProfileRow> {
  if (tenant.livemode && ctx.actor.kind === "api_key") throw identityErrors.session_required();
  refuseContradictions(input);
  const replace = () => ctx.transact((tx) => replaceProfile(tx, ctx, { tenant, input }));
  try {
    return await replace();
  } catch (error) {
    // Another request created the channel's first profile, or took an amount or code of the account, at the same moment; now it can be
    // replaced.
    if (takenMeanwhile.some((index) => isUniqueViolation(error, index))) return await replace();
    throw error;
  }
}

async function replaceProfile(tx: Tx, ctx: Ctx, given: { tenant: Tenant; input: ProfileInput }): Promise<ProfileRow> {
  const { tenant, input } = given;
  const before = await lockProfile(tx, tenant, input.channel);
  if (input.if_version !== null && input.if_version !== before?.version)
    throw platformErrors.version_conflict(before == null ? {} : { fields: { version: before.version } });
  const id = before?.id ?? ctx.id("cp");
  const code = await codeOf(tx, tenant, { input, id, before });
  const account_ref = await accountOf(tx, { tenant, input, before, code });
  const row = rowOf(ctx, tenant, { input, id, before, code, account_ref });
  await (before === null ? insertProfile(tx, row) : updateProfile(tx, row));
  if (before?.account_ref != null && before.account_ref !== account_ref && !isMoved(before, row))
    await moveAskings(tx, { tenant, channel: row.channel, from: before.account_ref, to: account_ref });
  if (before?.qr_asset_id != null && before.qr_asset_id !== row.qr_asset_id)
    await releaseAsset(tx, tenant, { asset_id: before.qr_asset_id, used_by: id });
  await notify(tx, ctx, { before, row });
  return row;
}

function refuseContradictions(input: ProfileInput): void {
  if (input.qr_asset_id == null && input.qr_payload == null) {
    throw platformErrors.parameter_missing({
      param: "qr_asset_id",
      reason: "code_missing",
      message: "Send qr_asset_id (an uploaded image of the code) or qr_payload (the code's text).",
    });
  }
  const { min_minor, max_minor } = input.limits ?? {};
  if (min_minor != null && max_minor != null && min_minor > max_minor) {
    throw platformErrors.parameter_conflict({
      param: "limits.max_minor",
      reason: "limits_crossed",
      message: "limits.max_minor is below limits.min_minor.",
    });
  }
}

interface CodeGiven {
  input: ProfileInput;
  id: string;
  before: ProfileRow | null;
}

/** The code's text from either input, checked for the channel; null if only a picture is used. */
async function codeOf(tx: Tx, tenant: Tenant, given: CodeGiven): Promise<string | null> {
  const { input, id, before } = given;
  const { channel } = input;
  const typed = input.qr_payload == null ? null : chooseCode({ channel, texts: [input.qr_payload], param: "qr_payload" });
  if (input.qr_asset_id == null) return typed === null ? null : confirmed(typed, { input, before });
  const asset = await useAsset(tx, tenant, { asset_id: input.qr_asset_id, used_by: id, param: "qr_asset_id" });
  requirePurpose(asset, { param: "qr_asset_id", purpose: "collection_qr" });
  if (typed !== null) refuseOtherText(typed, asset);
  const code = typed ?? readIn(asset, input);
  return code === null ? null : confirmed(code, { input, before });
}

function refuseOtherText(typed: IdentifiedCode, asset: AssetRow): void {
  const read = listCodes(asset).map((text) => identifyCode(text).payload);
  if (read.length === 0 || read.includes(typed.payload)) return;
  throw platformErrors.parameter_conflict({
    param: "qr_payload",
    reason: "other_code_text",
    message: "qr_payload differs from the code in the image.",
  });
}

/** A readable code is always checked: `allow_image_only` is for pictures without one. */
function readIn(asset: AssetRow, input: ProfileInput): IdentifiedCode | null {
  const texts = listCodes(asset);
  if (texts.length > 0) return chooseCode({ channel: input.channel, texts, param: "qr_asset_id" });
  if (input.allow_image_only === true) return null;
  // For older pictures only the fact that they had several codes was stored.
  if (asset.decode_fault === "several_codes") throw severalCodes();
  throw collectionErrors.qr_not_decodable({ param: "qr_asset_id", fields: { reason: "no_code" } });
}

/** Hardly anyone wants a code with a fixed amount, which is wrong for nearly every order, so it needs a confirmation. */
function confirmed(code: IdentifiedCode, given: { input: ProfileInput; before: ProfileRow | null }): string {
  const known = given.input.confirm_fixed_amount === true || given.before?.qr_payload === code.payload;
  if (code.kind !== "fixed_amount" || known) return code.payload;
  throw collectionErrors.qr_fixed_amount({ param: "confirm_fixed_amount", fields: { reason: "fixed_amount" } });
}

async function accountOf(
  tx: Tx,
  given: { tenant: Tenant; input: ProfileInput; before: ProfileRow | null; code: string | null },
): Promise<string> {
  const { tenant, input, before, code } = given;
  const project = await findProject(tx, tenant.project_id);
  if (project === null) throw platformErrors.resource_missing({ param: "projectId" });
  const { merchant_id } = project;
  return chooseAccount(tx, {
    tenant,
    channel: input.channel,
    merchant_id,
    named: input.account_ref ?? null,
    before: before?.account_ref ?? null,
    qr_payload: code,
  });
}

interface RowGiven {
  input: ProfileInput;
  id: string;
  before: ProfileRow | null;
  code: string | null;
  account_ref: string;
}

function rowOf(ctx: Ctx, tenant: Tenant, given: RowGiven): ProfileRow {
  const { input, id, before, code } = given;
  const now = ctx.now();
  return {
    project_id: tenant.project_id,
    livemode: tenant.livemode,
    id,
    channel: input.channel,
    enabled: input.enabled ?? true,
    qr_payload: code,
    qr_asset_id: input.qr_asset_id ?? null,
    payee_name: input.payee_name ?? null,
    instructions: input.instructions ?? {},
    matching: {
      mode: input.matching?.mode ?? "exact",
      max_offset_minor: input.matching?.max_offset_minor ?? defaultOffsetMinor,
      strict: input.matching?.strict ?? false,
    },
    session_minutes: input.session_minutes ?? defaultSessionMinutes,
    limits: {
      min_minor: input.limits?.min_minor ?? null,
      max_minor: input.limits?.max_minor ?? null,
      daily_total_minor: input.limits?.daily_total_minor ?? null,
    },
    account_ref: given.account_ref,
    ignore_rules: input.ignore_rules ?? before?.ignore_rules ?? [],
    version: (before?.version ?? 0) + 1,
    code_changed_at:
      before !== null && !isMoved(before, { qr_payload: code, qr_asset_id: input.qr_asset_id ?? null }) ? before.code_changed_at : now,
    created_at: before?.created_at ?? now,
    updated_at: now,
    updated_by: ctx.actor.id,
  };
}

/** True if payments go elsewhere from now on. Without a text, the picture is the code. */
function isMoved(before: ProfileRow | null, after: Pick<ProfileRow, "qr_payload" | "qr_asset_id">): boolean {
  if (before === null || before.qr_payload !== after.qr_payload) return true;
  return after.qr_payload === null && before.qr_asset_id !== after.qr_asset_id;
}

/** The audit log has who redirected the payments; in LIVE the merchant is notified immediately. */
async function notify(tx: Tx, ctx: Ctx, given: { before: ProfileRow | null; row: ProfileRow }): Promise<void> {
  const { before, row } = given;
  const moved = isMoved(before, row);
  await recordAudit(tx, {
    ctx,
    tenant: { project_id: row.project_id, livemode: row.livemode },
    action: "collection_profile.updated",
    object_type: "collection_profile",
    object_id: row.id,
    detail: {
      channel: row.channel,
      version: row.version,
      enabled: row.enabled,
      account_ref: row.account_ref,
      ignore_rules: row.ignore_rules,
      code_changed: moved,
      qr_payload: row.qr_payload,
      previous_qr_payload: before?.qr_payload ?? null,
    },
  });
  if (!moved || !row.livemode) return;
  const project = await findProject(tx, row.project_id);
  if (project === null) return;
  await notice(tx, ctx, {
    kind: "collection_code_changed",
    recipient: project.merchant_id,
    params: { project_id: row.project_id, channel: row.channel, changed_by: ctx.actor.id, at: row.updated_at },
  });
}
