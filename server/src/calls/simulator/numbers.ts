/** The usual caller in TEST. */
export const usualTestNumber = "+15005550006";

/** What a simulated callee does, by number. Every other number answers, listens and presses nothing. */
export type Behaviour = "presses" | "busy" | "no_answer" | "trunk_down" | "rejects" | "hangs_up" | "listens";

const behaviours: Readonly<Record<string, Behaviour>> = {
  "+15005552000": "presses",
  "+15005552001": "busy",
  "+15005552002": "no_answer",
  "+15005552003": "trunk_down",
  "+15005552004": "rejects",
  "+15005552005": "hangs_up",
};

export function behaviourOf(number: string): Behaviour {
  return behaviours[number] ?? "listens";
}

/** True for a number with a simulated outcome. */
export function isSimulated(number: string): boolean {
  return Object.hasOwn(behaviours, number);
}
