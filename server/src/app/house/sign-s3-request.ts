import { createHash, createHmac } from "node:crypto";

export interface S3Credentials {
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface S3Request {
  method: string;
  url: URL;
  /** Lower-case names; all of them are signed. */
  headers: Record<string, string>;
  body: Uint8Array;
  at: Date;
}

/** The headers of a request signed with AWS Signature Version 4, which every S3-compatible store understands. */
export function signS3Request(credentials: S3Credentials, request: S3Request): Record<string, string> {
  const stamp = request.at.toISOString().replace(/[-:]|\.\d{3}/g, "");
  const bodyHash = sha256(request.body);
  const headers: Record<string, string> = { ...request.headers, host: request.url.host, "x-amz-content-sha256": bodyHash, "x-amz-date": stamp };
  const names = Object.keys(headers).sort();
  const canonical = [
    request.method,
    request.url.pathname,
    request.url.searchParams.toString(),
    ...names.map((name) => `${name}:${headers[name]?.trim()}`),
    "",
    names.join(";"),
    bodyHash,
  ].join("\n");
  const scope = [stamp.slice(0, 8), credentials.region, "s3", "aws4_request"];
  const key = scope.reduce<Buffer | string>((secret, part) => createHmac("sha256", secret).update(part).digest(), `AWS4${credentials.secretAccessKey}`);
  const signature = createHmac("sha256", key)
    .update(["AWS4-HMAC-SHA256", stamp, scope.join("/"), sha256(canonical)].join("\n"))
    .digest("hex");
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope.join("/")},SignedHeaders=${names.join(";")},Signature=${signature}`;
  return { ...headers, authorization };
}

function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
