const gone = "…";
const secretHeaders = /^(set-cookie2?|cookie|authorization|proxy-authorization|x-api-key|.*-signature)$/;
/** Our own secrets, keys and link tokens, wherever a response repeats them. */
const ours = /\b(whsec_[A-Za-z0-9+/=]{16,}|svc_(?:test|live)_[A-Za-z0-9]{16,}|pl_(?:test_|live_)?[A-Za-z0-9]{24,})/g;

/** A response's headers without cookies, credentials and anything that repeats one of the request's signatures. */
export function redactHeaders(headers: Record<string, string>, signatures: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretHeaders.test(name.toLowerCase()) ? gone : redactText(value, signatures)]),
  );
}

/** A text without the given signatures and without our secrets, keys and tokens. */
export function redactText(text: string, signatures: readonly string[]): string {
  return signatures.reduce((rest, signature) => rest.replaceAll(signature, gone), text).replace(ours, gone);
}
