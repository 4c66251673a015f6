import type { FastifyRequest } from "fastify";
import { requestErrors } from "../../errors.ts";

/** Same origin, or a person who typed the address; browsers send this header with every request, and no script can change it. */
const ownSites = new Set(["same-origin", "none"]);
const reading = new Set(["GET", "HEAD"]);

/**
 * What only our own pages can send. A request that a cookie signs must come from one of them, or another site could act in its visitor's
 * name: a write names its origin and carries JSON, which a form of another site cannot send. Throws origin_not_allowed.
 */
export function checkOrigin(request: FastifyRequest, publicUrl: string): void {
  const { origin, host, "sec-fetch-site": site } = request.headers;
  if (site !== undefined && !ownSites.has(String(site))) throw requestErrors.origin_not_allowed();
  if (reading.has(request.method)) return;
  if (origin === undefined || !isOwn(origin, { publicUrl, host })) throw requestErrors.origin_not_allowed();
  if (!carriesJson(request)) throw requestErrors.origin_not_allowed({ message: "Requests with a session must send JSON." });
}

/** The page's host may be another name of this server than the configured one, but never another host than the one asked. */
function isOwn(origin: string, { publicUrl, host }: { publicUrl: string; host: string | undefined }): boolean {
  const own = new URL(publicUrl);
  return origin === own.origin || (host !== undefined && origin === `${own.protocol}//${host}`);
}

function carriesJson(request: FastifyRequest): boolean {
  const type = request.headers["content-type"];
  if (type === undefined) return request.headers["content-length"] === undefined || request.headers["content-length"] === "0";
  const [name = ""] = type.split(";");
  if (name.trim().toLowerCase() === "application/json") return true;
  const { config } = request.route;
  return (config.upload === true || config.form !== undefined) && name.trim().toLowerCase() === "multipart/form-data";
}
