import type { LineKey } from "#calls/index.ts";
import { carrierAddress } from "#messaging/index.ts";

/** The addresses that a carrier requests for one call. */
export interface Addresses {
  /** The next document, by its number. */
  next(number: number): string;
  sound(number: number): string;
  status: string;
}

interface Given {
  publicUrl: string;
  account: string;
  line: Pick<LineKey, "project_id" | "call_id">;
  token: string;
}

export function addressesOf({ publicUrl, account, line, token }: Given): Addresses {
  const address = (path: string, more: Record<string, string> = {}) => {
    const query = new URLSearchParams({ project: line.project_id, call: line.call_id, ...more, token });
    return carrierAddress({ publicUrl }, { channel: "calls" }, { account, path: `${path}?${query}` });
  };
  return {
    next: (number) => address("next", { document: String(number) }),
    sound: (number) => address("sound.wav", { document: String(number) }),
    status: address("status"),
  };
}
