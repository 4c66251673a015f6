import type { FastifyRequest } from "fastify";
import { platformErrors } from "#platform/index.ts";

/** Throws unsupported_media_type for a compressed body, or one that declares another encoding than UTF-8. */
export function refuseEncoding({ headers }: Pick<FastifyRequest, "headers">): void {
  const packed = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (packed !== "identity") {
    throw platformErrors.unsupported_media_type({
      message: `Bodies compressed with ${plain(packed)} aren't supported here. Send the body uncompressed, without Content-Encoding.`,
    });
  }
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(headers["content-type"] ?? "")?.[1]?.toLowerCase() ?? "utf-8";
  if (/^(utf-?8|us-ascii)$/.test(charset)) return;
  throw platformErrors.unsupported_media_type({ message: `Bodies in ${plain(charset)} aren't supported here. Send the body in UTF-8.` });
}

function plain(text: string): string {
  return text.replaceAll(/[^\w/+.-]/g, "").slice(0, 80);
}
