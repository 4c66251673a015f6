import type { RegistrationResponseJSON } from "@simplewebauthn/server";

/**
 * Whether a new passkey comes without certificates of its authenticator, as `beginPasskey` requests it. The library would check them, and
 * for that fetch lists from addresses that the certificates name, inside our transaction and past our rules for outgoing requests.
 */
export async function isWithoutCertificates({ response }: Pick<RegistrationResponseJSON, "response">): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import("@simplewebauthn/server/helpers");
  try {
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
    const format = attestation.get("fmt");
    // `packed` without certificates is signed with the passkey itself.
    return format === "none" || (format === "packed" && attestation.get("attStmt").get("x5c") === undefined);
  } catch {
    return false;
  }
}
