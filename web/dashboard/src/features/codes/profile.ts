import type { Objects } from "../../data/client.ts";

export type Profile = Objects["CollectionProfile"];
export type Channel = Profile["channel"];

/**
 * A profile is replaced as a whole: what a form doesn't show must be sent too, or it would be lost. Except the account: the server keeps
 * it, unless another project has the new code in another account.
 */
export function unshownFields(profile: Profile | undefined) {
  if (profile === undefined) return {};
  const { instructions, limits } = profile;
  return { instructions, limits };
}

export function hasCode(profile: Profile | undefined): profile is Profile {
  return profile !== undefined && (profile.qr_payload !== null || profile.qr_asset_id !== null);
}

/** The existing code. */
export function ownCodeOf(profile: Profile | undefined) {
  const { qr_asset_id = null, qr_payload = null } = profile ?? {};
  if (qr_payload !== null) return { qr_payload, qr_asset_id };
  return { qr_asset_id, allow_image_only: true };
}
