import { alipay } from "./method/alipay.ts";
import { wechat } from "./method/wechat.ts";

/** The payment methods with personal receiving codes, in the order in which buyers see them. */
const methods = [wechat, alipay] as const;

export type Channel = (typeof methods)[number]["channel"];
export const channels: readonly Channel[] = methods.map(({ channel }) => channel);
export type PersonalCode = (typeof methods)[number];
/** The payment methods behind the channels. */
export const personalMethods: readonly [PersonalCode, ...PersonalCode[]] = methods;

/** True for the name of a channel. */
export function isChannel(text: string): text is Channel {
  return (channels as readonly string[]).includes(text);
}

/** The payment method of a channel's code. */
export function methodOfChannel(channel: Channel): PersonalCode {
  return methods.find((method) => method.channel === channel) as PersonalCode;
}

/** The personal payment method with a gateway's name; null if the gateway isn't one. */
export function personalMethodOf(gateway: string): PersonalCode | null {
  return methods.find((method) => method.gateway === gateway) ?? null;
}
