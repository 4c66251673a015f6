/** WebAuthn allows 1,023 bytes, which are this many characters in base64url. */
const charactersMax = 1364;

/** Whether this can be the id of a passkey's credential. */
export function isCredentialId(given: unknown): given is string {
  return typeof given === "string" && given.length <= charactersMax;
}
