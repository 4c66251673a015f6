import type { PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { type Ctx, isUniqueViolation, platformErrors } from "#platform/index.ts";
import { recordPersonAction } from "../people/record-person-action.ts";
import { isWithoutCertificates } from "./attestation.ts";
import { makeChallenge, relyingPartyOf, takeChallenge } from "./challenge.ts";
import { isCredentialId } from "./credential-id.ts";
import { insertPasskey, listPasskeyRows, type PasskeyRow } from "./sql.ts";

const most = 20;

/** The browser's options for creating a passkey. It must verify the person: a fingerprint, a face, a PIN. */
export async function beginPasskey(
  ctx: Ctx,
  person: { id: string; email: string; name: string },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  const known = await listPasskeyRows(ctx.db, person.id);
  if (known.length >= most) throw platformErrors.limit_reached({ message: `A person can have up to ${most} passkeys.` });
  return await generateRegistrationOptions({
    rpName: "Tillpost",
    rpID: relyingPartyOf(ctx).rpID,
    userName: person.email,
    userDisplayName: person.name,
    userID: new Uint8Array(Buffer.from(person.id)),
    challenge: new Uint8Array(Buffer.from(await makeChallenge(ctx, "add", person.id), "base64url")),
    attestationType: "none",
    excludeCredentials: known.map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/** Stores the passkey that the browser created. Throws parameter_invalid for a response that proves nothing. */
export async function addPasskey(
  ctx: Ctx,
  input: { person_id: string; name: string; response: RegistrationResponseJSON; address: string },
): Promise<PasskeyRow> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { rpID, origin } = relyingPartyOf(ctx);
  if (!(await isWithoutCertificates(input.response))) throw unproven();
  try {
    return await ctx.transact(async (tx) => {
      const result = await verifyRegistrationResponse({
        response: input.response,
        expectedChallenge: (challenge) => takeChallenge(tx, { purpose: "add", bearer: input.person_id, challenge }),
        expectedOrigin: origin,
        expectedRPID: rpID,
        requireUserVerification: true,
      }).catch(() => null);
      if (result === null || !result.verified || !isCredentialId(result.registrationInfo.credential.id)) throw unproven();
      const { credential, credentialDeviceType, credentialBackedUp } = result.registrationInfo;
      const row: PasskeyRow = {
        id: ctx.id("pky"),
        person_id: input.person_id,
        name: input.name,
        credential_id: credential.id,
        public_key: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: transportsOf(credential.transports),
        device_type: credentialDeviceType,
        backed_up: credentialBackedUp,
        last_used_at: null,
        created_at: ctx.now(),
      };
      await insertPasskey(tx, row);
      await recordPersonAction(tx, ctx, {
        person_id: input.person_id,
        action: "person.passkey_added",
        detail: { name: input.name, address: input.address },
        notify: true,
      });
      return row;
    });
  } catch (error) {
    if (isUniqueViolation(error, "person_passkeys_credential_id_key")) throw unproven();
    throw error;
  }
}

const transports: ReadonlySet<unknown> = new Set(["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"]);

/** The known ones of what the browser said: only hints, which aren't checked with the signature. */
function transportsOf(given: unknown): string[] {
  return Array.isArray(given) ? [...new Set(given.filter((one): one is string => transports.has(one)))] : [];
}

const unproven = () =>
  platformErrors.parameter_invalid({
    param: "response",
    reason: "passkey_unverified",
    message: "This passkey couldn't be verified. Try again.",
  });
