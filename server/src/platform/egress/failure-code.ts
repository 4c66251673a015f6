export type FailureCode = "timeout" | "dns" | "connect" | "connection_reset" | "invalid_response" | "truncated" | "tls" | "egress_blocked";

const dns = /^(ENOTFOUND|ENODATA|EAI_|ESERVFAIL|EREFUSED|ETIMEOUT|EBADNAME|EBADRESP|EFORMERR|ENONAME|ECANCELLED|ECONNREFUSED_DNS)/;
const tls = /^(ERR_TLS|ERR_SSL|CERT_|EPROTO|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|HOSTNAME_MISMATCH|INVALID_PURPOSE|ERR_OSSL)/;
const time = /^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|UND_ERR_ABORTED|ABORT_ERR|ETIMEDOUT)$/;

const reset = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/;
const invalid = /^(HPE_|UND_ERR_HEADERS_OVERFLOW)/;
const cut = /^(UND_ERR_RES_CONTENT_LENGTH_MISMATCH|HPE_INVALID_EOF_STATE)$/;

/** Before the first byte of the request: no name, no connection, a wrong certificate, or an address that isn't allowed. */
const neverSent =
  /^(EGRESS_BLOCKED|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME)/;

/** Whether a failed request may have been sent. */
export function maybeSent(thrown: unknown): boolean {
  const { code, syscall } = partsOf(thrown);
  return !(neverSent.test(code) || dns.test(code) || syscall === "connect" || syscall.startsWith("query"));
}

/** The public name of a failure: its kind, without anything that would reveal ports or networks. `answered`: the status had arrived. */
export function failureCode(thrown: unknown, answered = false): FailureCode {
  const { code, name, syscall } = partsOf(thrown);
  if (code === "EGRESS_BLOCKED") return "egress_blocked";
  if (name === "AbortError" || time.test(code)) return "timeout";
  if (dns.test(code) || syscall.startsWith("query")) return "dns";
  if (tls.test(code)) return "tls";
  if (cut.test(code)) return answered ? "truncated" : "connection_reset";
  if (invalid.test(code) || name === "HTTPParserError") return "invalid_response";
  if (reset.test(code)) return answered ? "truncated" : "connection_reset";
  return "connect";
}

function partsOf(thrown: unknown): { code: string; name: string; syscall: string } {
  const error = (thrown ?? {}) as { code?: unknown; name?: unknown; syscall?: unknown; errors?: unknown[] };
  const inner = (error.errors?.[0] ?? {}) as { code?: unknown; syscall?: unknown };
  return {
    code: String(error.code ?? inner.code ?? error.name),
    name: String(error.name),
    syscall: String(error.syscall ?? inner.syscall),
  };
}
