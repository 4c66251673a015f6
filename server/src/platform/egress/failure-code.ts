export type FailureCode = "timeout" | "dns" | "connect" | "connection_reset" | "invalid_response" | "truncated" | "tls" | "egress_blocked";

const dns = /^(ENOTFOUND|ENODATA|EAI_|ESERVFAIL|EREFUSED|ETIMEOUT|EBADNAME|EBADRESP|EFORMERR|ENONAME|ECANCELLED|ECONNREFUSED_DNS)/;
const tls = /^(ERR_TLS|ERR_SSL|CERT_|EPROTO|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|HOSTNAME_MISMATCH|INVALID_PURPOSE|ERR_OSSL)/;
const time = /^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|UND_ERR_ABORTED|ABORT_ERR|ETIMEDOUT)$/;

const reset = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/;
const invalid = /^(HPE_|UND_ERR_HEADERS_OVERFLOW)/;
const cut = /^(UND_ERR_RES_CONTENT_LENGTH_MISMATCH|HPE_INVALID_EOF_STATE)$/;

/** The public name of what went wrong: the kind of fault, and nothing that would reveal ports or networks. `answered`: the status had arrived. */
export function failureCode(thrown: unknown, answered = false): FailureCode {
  const error = (thrown ?? {}) as { code?: unknown; name?: unknown; syscall?: unknown; errors?: unknown[] };
  const inner = error.errors?.[0];
  const code = String(error.code ?? (inner as { code?: unknown } | undefined)?.code ?? error.name);
  if (code === "EGRESS_BLOCKED") return "egress_blocked";
  if (error.name === "AbortError" || time.test(code)) return "timeout";
  if (dns.test(code) || /^query/.test(String(error.syscall))) return "dns";
  if (tls.test(code)) return "tls";
  if (cut.test(code)) return answered ? "truncated" : "connection_reset";
  if (invalid.test(code) || error.name === "HTTPParserError") return "invalid_response";
  if (reset.test(code)) return answered ? "truncated" : "connection_reset";
  return "connect";
}
