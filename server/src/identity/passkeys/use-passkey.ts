import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import type { Ctx } from "#platform/index.ts";
import { identityErrors } from "../errors.ts";
import { makeChallenge, relyingPartyOf, takeChallenge } from "./challenge.ts";
import { isCredentialId } from "./credential-id.ts";
import { lockPasskey, updatePasskeyUsed } from "./sql.ts";

const anybody = "anybody";

/** The browser's options for a sign-in; the passkey identifies the person. */
export async function askForPasskey(ctx: Ctx): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  const challenge = new Uint8Array(Buffer.from(await makeChallenge(ctx, "sign in", anybody), "base64url"));
  return await generateAuthenticationOptions({ rpID: relyingPartyOf(ctx).rpID, challenge, userVerification: "required" });
}

/** The id of the passkey that a browser's response names. Throws authentication_required if it can't be one. */
export function passkeyIdOf({ id }: { id?: unknown }): string {
  if (!isCredentialId(id)) throw refused();
  return id;
}

/**
 * The person whose passkey responded, once per challenge. Throws authentication_required; an unknown passkey and a wrong response are
 * refused alike.
 */
export async function usePasskey(ctx: Ctx, response: AuthenticationResponseJSON): Promise<{ person_id: string }> {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const { rpID, origin } = relyingPartyOf(ctx);
  return ctx.transact(async (tx) => {
    const passkey = await lockPasskey(tx, passkeyIdOf(response));
    if (passkey === null) throw refused();
    const result = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => takeChallenge(tx, { purpose: "sign in", bearer: anybody, challenge }),
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: { id: passkey.credential_id, publicKey: new Uint8Array(passkey.public_key), counter: passkey.counter },
    }).catch(() => null);
    if (result === null || !result.verified) throw refused();
    await updatePasskeyUsed(tx, passkey.id, { counter: result.authenticationInfo.newCounter });
    return { person_id: passkey.person_id };
  });
}

const refused = () => identityErrors.authentication_required({ message: "This passkey isn't known here, or it responded too late." });
