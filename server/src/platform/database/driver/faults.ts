/** Errors that the driver only describes in a message get a code, like network errors. */
const codes: [says: RegExp, code: string][] = [
  [/does not support SSL/, "TLS_NOT_OFFERED"],
  [/timeout exceeded when trying to connect|timeout expired|connection timeout/, "CONNECT_TIMEOUT"],
  [/Query read timeout/, "CONNECTION_TIMEOUT"],
  [/calling end on the pool/, "CONNECTION_ENDED"],
  [/Connection terminated|not queryable|Connection ended/, "CONNECTION_CLOSED"],
];

/** The same error, with a `code` if it is about the connection and has none. */
export function withCode(error: unknown): unknown {
  if (!(error instanceof Error) || (error as { code?: unknown }).code !== undefined) return error;
  const known = codes.find(([says]) => says.test(error.message));
  return known === undefined ? error : Object.assign(error, { code: known[1] });
}
