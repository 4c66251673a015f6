import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";

export interface S3Credentials {
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

export interface S3Request {
  method: string;
  url: URL;
  /** All of them are signed. */
  headers: Record<string, string>;
  body: Uint8Array;
  at: Date;
}

/**
 * The headers of a request signed with AWS Signature Version 4, which every S3-compatible store supports. The body is signed too, because
 * an endpoint may be plain HTTP.
 */
export async function signS3Request({ region, accessKeyId, secretAccessKey }: S3Credentials, request: S3Request): Promise<Headers> {
  const signer = new AwsV4Signer({
    service: "s3",
    region,
    accessKeyId,
    secretAccessKey,
    method: request.method,
    url: request.url.href,
    headers: { ...request.headers, "x-amz-content-sha256": createHash("sha256").update(request.body).digest("hex") },
    datetime: request.at.toISOString().replace(/[-:]|\.\d{3}/g, ""),
    allHeaders: true,
  });
  return (await signer.sign()).headers;
}
