import { databaseCode, isTlsFault, isUnavailable } from "#platform/index.ts";
import { SettingsError } from "./config.ts";
import { FolderInUse } from "./embedded/index.ts";
import { howToRun } from "./installed/how-to-run.ts";

const refusedSignIns = ["28P01", "28000", "3D000"];

/** The message for a person at the terminal: errors that they can fix are sentences, everything else has its stack. */
export function explainFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isTlsFault(error)) return explainTls(error as NodeJS.ErrnoException);
  if (isUnavailable(error) || refusedSignIns.includes(databaseCode(error) ?? "")) {
    return `The database refused the connection: ${error.message}. Check DATABASE_URL, and that the server is running and accepts this host.`;
  }
  if (databaseCode(error) === "42501") {
    return `The role in DATABASE_URL isn't allowed to do this: ${error.message}. Migrations need the role that owns the tables: set DATABASE_OWNER_URL. \`${howToRun("database-roles")}\` prints what each role is allowed to do.`;
  }
  const isSentence = error instanceof SettingsError || error instanceof FolderInUse || (error.constructor === Error && !("code" in error));
  return isSentence ? error.message : (error.stack ?? error.message);
}

/** Why TLS with the database failed, and what to change. */
export function explainTls({ code = "", message }: NodeJS.ErrnoException): string {
  if (code === "TLS_NOT_OFFERED")
    return "The database doesn't offer TLS, which DATABASE_URL requires. Turn it on there (ssl = on), or set sslmode=prefer.";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return `The database's certificate isn't for the name in DATABASE_URL (${message}). Use a name in the certificate, or sslmode=verify-ca.`;
  if (/^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/.test(code))
    return "The database's certificate isn't signed by an authority this machine trusts. Add that authority's certificate to DATABASE_URL: sslrootcert=/path/to/ca.pem.";
  if (code === "CERT_HAS_EXPIRED") return "The database's certificate has expired. Renew it there.";
  return `TLS with the database failed: ${message} (${code}). Check sslmode, sslrootcert, sslcert and sslkey in DATABASE_URL.`;
}
