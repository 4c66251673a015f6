/** Where personal receiving codes come from. */
export const channels = ["wechat", "alipay"] as const;
export type Channel = (typeof channels)[number];

/** True for the name of a channel. */
export function isChannel(text: string): text is Channel {
  return (channels as readonly string[]).includes(text);
}
