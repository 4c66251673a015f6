import type { Add } from "#messaging/index.ts";
import type { ErrorDetail } from "#platform/index.ts";
import { charactersBeyondGsm7 } from "../text/split-text.ts";
import type { Encoding } from "../transport.ts";
import { faultySms } from "./check-sms.ts";
import { checkText, segmentsMax, type TextInput } from "./check-text.ts";

/** What sending a text would need. */
export interface SmsEstimate {
  /** The text as it would be sent. */
  body: string;
  encoding: Encoding;
  segments: number;
  characters: number;
  /** Septets of GSM-7, or code units of UCS-2. */
  units: number;
  /** How many units fit into each part. */
  units_per_segment: number;
  /** The characters that keep it from being sent as GSM-7. */
  characters_beyond_gsm7: string[];
  parts: string[];
}

const anyNumber = 255;

/** Returns what a text needs, without sending it. Throws the faults of a text that couldn't be sent with any number of parts. */
export function estimateSms(input: TextInput): SmsEstimate & { max_segments: number } {
  const faults: ErrorDetail[] = [];
  const add: Add = (param, code, why) => void faults.push({ param, code, ...why });
  const { body, split } = checkText({ ...input, max_segments: anyNumber }, add);
  if (faults.length > 0) throw faultySms(faults);
  const { encoding, segments, units, unitsPerSegment } = split;
  return {
    ...{ body, encoding, segments: segments.length, characters: [...body].length, units, units_per_segment: unitsPerSegment },
    ...{ characters_beyond_gsm7: charactersBeyondGsm7(body), parts: segments, max_segments: input.max_segments ?? segmentsMax },
  };
}
