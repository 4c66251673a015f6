import type { Objects } from "../../data/client.ts";

export type Profile = Objects["CollectionProfile"];
export type Channel = Profile["channel"];

/** A profile is replaced as a whole: what a form doesn't show must be sent too, or it would be lost. */
export function unshownFields(profile: Profile | undefined) {
  if (profile === undefined) return {};
  const { instructions, limits, account_ref } = profile;
  return { instructions, limits, account_ref };
}

/** The existing code. */
export function ownCodeOf(profile: Profile | undefined) {
  const { qr_asset_id = null, qr_payload = null } = profile ?? {};
  if (qr_payload !== null) return { qr_payload, qr_asset_id };
  return { qr_asset_id, allow_image_only: true };
}
