import { nameIn } from "#gateways/index.ts";
import { type AppError, firstLanguage } from "#platform/index.ts";
import { type Channel, methodOfChannel } from "../channels.ts";
import { collectionErrors } from "../errors.ts";
import { type CodeKind, type IdentifiedCode, identifyCode } from "./identify-code.ts";

const receiving: readonly CodeKind[] = ["personal", "business", "fixed_amount"];
const nameOf = (channel: Channel) => nameIn(methodOfChannel(channel).names, firstLanguage);

/** Which error is reported first if several codes are wrong: the dangerous one, then common mistakes with the person's own wallet. */
const telling: readonly CodeKind[] = ["payment_code", "order", "red_packet", "other_page", "personal", "business", "fixed_amount", "other"];

export interface CodeQuestion {
  channel: Channel;
  /** The typed text, or everything that was read from one picture. */
  texts: readonly string[];
  param: "qr_payload" | "qr_asset_id";
}

/**
 * The only text that receives money on the channel: on a shop's poster with the codes of both wallets, the one of this wallet. If there is
 * none, throws with a sentence for each common mistake; if there are several, qr_not_decodable.
 */
export function chooseCode({ channel, texts, param }: CodeQuestion): IdentifiedCode {
  const codes = [...new Map(texts.map((text) => identifyCode(text)).map((code) => [code.payload, code])).values()];
  const [first, second] = codes.filter((code) => code.channel === channel && receiving.includes(code.kind));
  if (first !== undefined && second === undefined) return first;
  if (second !== undefined) throw severalCodes();
  const [worst] = codes.toSorted((one, other) => rank(one, channel) - rank(other, channel));
  throw refusal({ channel, param, codes: worst ?? identifyCode("") });
}

function rank(code: IdentifiedCode, channel: Channel): number {
  if (code.kind === "payment_code") return -1;
  return telling.indexOf(code.kind) + (code.channel === channel ? 0 : telling.length);
}

/** The error for a picture with several codes, none of which is preferable. */
export function severalCodes(): AppError {
  const message = "The image contains several different QR codes. Crop it to the one that receives money.";
  return collectionErrors.qr_not_decodable({ param: "qr_asset_id", fields: { reason: "several_codes" }, message });
}

function refusal({ channel, param, codes }: { channel: Channel; param: string; codes: IdentifiedCode }): AppError {
  const name = nameOf(codes.channel ?? channel);
  const mismatch = (reason: string, message: string) => collectionErrors.qr_channel_mismatch({ param, fields: { reason }, message });
  switch (codes.kind) {
    case "payment_code":
      return collectionErrors.qr_payment_code({ param, fields: { reason: "payment_code" } });
    case "order":
      return collectionErrors.qr_order_bound({ param, fields: { reason: "order_bound" } });
    case "red_packet":
      return mismatch("red_packet", "This code opens a red packet. Use your receiving code.");
    case "other_page":
      return mismatch("not_receiving", `This ${name} code doesn't receive money. Save the code that you receive payments with, unchanged.`);
    case "other":
      return mismatch("other_content", `This isn't a ${nameOf(channel)} receiving code.`);
    default:
      return mismatch("other_channel", `This is a ${name} receiving code, but this profile is for ${nameOf(channel)}.`);
  }
}
