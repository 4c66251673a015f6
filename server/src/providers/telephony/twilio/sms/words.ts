/** The API's word for a carrier's error code. The numbers are Twilio's, which others adopted. */
const words: ReadonlyMap<number, string> = new Map<number, string>(
  Object.entries({
    invalid_number: [21211, 21214, 21217, 21219, 21265, 21604, 21614, 21635, 30006],
    opted_out: [21610],
    country_not_allowed: [21408],
    no_route: [21612],
    throttled: [14107, 20429, 21611, 30001, 30010, 30022, 30023],
    carrier_rejected: [
      21212, 21602, 21603, 21606, 21608, 21617, 21619, 21621, 21659, 21660, 21661, 21703, 21704, 21705, 21710, 30004, 30007, 30024, 30032,
      30034, 30038,
    ],
    handset_unreachable: [30003, 30017, 30019],
    unknown_subscriber: [30005],
    expired: [30036],
    provider_error: [20500, 20503, 30002, 30008, 30009, 30027, 30410, 30500],
  }).flatMap(([word, codes]) => codes.map((code): [number, string] => [code, word])),
);

/** Returns `usual` without a known code. */
export function wordOf(code: number | null, usual: string): string {
  return (code === null ? undefined : words.get(code)) ?? usual;
}
