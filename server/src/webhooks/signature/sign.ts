import { createHmac } from "node:crypto";
import type { LiveSecrets } from "../endpoint/secrets.ts";

export interface Signed {
  event_id: string;
  /** The time of this attempt, not of the event: receivers reject old ones. */
  at: Date;
  body: Uint8Array;
}

/** The headers of one attempt, without signatures, as recorded. */
export function plainHeaders(signed: Pick<Signed, "event_id" | "at">): Record<string, string> {
  return {
    "content-type": "application/json",
    "user-agent": "Tillpost-Webhooks/1",
    "webhook-id": signed.event_id,
    "webhook-timestamp": String(Math.floor(signed.at.getTime() / 1000)),
  };
}

/** Each signature among the headers of one attempt, to be redacted from a recorded response. */
export function signaturesIn(headers: Record<string, string>): string[] {
  const standard = (headers["webhook-signature"] ?? "").split(" ").map((one) => one.slice("v1,".length));
  return [headers["x-service-signature"] ?? "", ...standard].filter((one) => one !== "");
}

/**
 * All headers of one attempt. The plain signature is keyed with the secret as written, including `whsec_`; the standard one with the bytes
 * that the part after the prefix encodes, once for each active secret.
 */
export function signHeaders(secrets: LiveSecrets, signed: Signed): Record<string, string> {
  const headers = plainHeaders(signed);
  const prefix = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`;
  const standard = secrets.all.map(
    (secret) =>
      `v1,${createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"))
        .update(prefix)
        .update(signed.body)
        .digest("base64")}`,
  );
  return {
    ...headers,
    "webhook-signature": standard.join(" "),
    "x-service-signature": createHmac("sha256", secrets.current).update(signed.body).digest("hex"),
  };
}
