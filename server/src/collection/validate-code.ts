import type { AppError } from "#platform/index.ts";
import type { Channel } from "./channels.ts";
import { collectionErrors } from "./errors.ts";

type Kind = Channel | "order" | "red_packet" | "other";

const shapes: readonly (readonly [Kind, RegExp])[] = [
  ["order", /^weixin:\/\/wxpay\/bizpayurl/i],
  ["order", /^https:\/\/qr\.alipay\.com\/bax/i],
  ["red_packet", /^wxhb:\/\//i],
  ["wechat", /^wxp:\/\/(?:wb)?f2f[A-Za-z0-9_-]{20,120}$/],
  ["wechat", /^https:\/\/(?:payapp\.weixin\.qq\.com\/qr\/|wx\.tenpay\.com\/f2f)[!-~]{5,300}$/],
  ["alipay", /^https:\/\/qr\.alipay\.com\/[a-z0-9]{10,40}(?:\?[!-~]{0,200})?$/i],
];

const names: Record<Channel, string> = { wechat: "WeChat Pay", alipay: "Alipay" };

/**
 * Throws unless the text is a personal receiving code of the channel, with a sentence for each mistake people make.
 * The text itself is never changed: WeChat's is case-sensitive, and printed Alipay codes are in capitals.
 */
export function validateCode(channel: Channel, payload: string): void {
  const kind = shapes.find(([, shape]) => shape.test(payload))?.[0] ?? "other";
  if (kind !== channel) throw refusal(channel, kind);
}

function refusal(channel: Channel, kind: Kind): AppError {
  const param = "qr_payload";
  if (kind === "order") return collectionErrors.qr_order_bound({ param, fields: { reason: "order_bound" } });
  if (kind === "red_packet") {
    return collectionErrors.qr_channel_mismatch({ param, fields: { reason: "red_packet" }, message: "This code opens a red packet. Use your receiving code." });
  }
  if (kind === "other") {
    const message = `This code holds something else than a personal receiving code of ${names[channel]}.`;
    return collectionErrors.qr_channel_mismatch({ param, fields: { reason: "other_content" }, message });
  }
  const message = `This is a receiving code of ${names[kind]}; this profile is for ${names[channel]}.`;
  return collectionErrors.qr_channel_mismatch({ param, fields: { reason: "other_channel" }, message });
}
