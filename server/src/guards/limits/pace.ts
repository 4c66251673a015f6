/** How many messages or calls one recipient may get in a time. */
export interface PaceRule {
  count: number;
  seconds: number;
}

export const pacedChannels = ["sms", "call"] as const;
type PacedChannel = (typeof pacedChannels)[number];
/** The shorter window first. */
export type Pace = Readonly<Record<PacedChannel, readonly [PaceRule, PaceRule]>>;

const day = 86_400;
const usual: Pace = {
  sms: [
    { count: 5, seconds: 600 },
    { count: 20, seconds: day },
  ],
  call: [
    { count: 2, seconds: 600 },
    { count: 10, seconds: day },
  ],
};

/**
 * The pace, with the operator's changes in the form `channel=count/seconds`: a window of a day or more is the long one. Throws on an
 * invalid one.
 */
export function readPace(changes: readonly string[]): Pace {
  const read = { sms: [...usual.sms], call: [...usual.call] } as Record<PacedChannel, [PaceRule, PaceRule]>;
  for (const change of changes) {
    const [, channel = "", count = "", seconds = ""] = /^(\w+)=([1-9]\d{0,8})\/([1-9]\d{0,6})$/.exec(change) ?? [];
    if (channel !== "sms" && channel !== "call") throw new Error(`not a pace: ${change}`);
    read[channel][Number(seconds) < day ? 0 : 1] = { count: Number(count), seconds: Number(seconds) };
  }
  return read;
}
