import { expect } from "vitest";
import { chirp, pickUp, type VoiceWorld } from "./voice-world.ts";

interface Gather {
  how: string;
  action: typeof menu & { num_digits?: number };
  /** What the callee presses at each attempt. */
  presses: string[];
  digits: string;
  attempts: number;
}

const menu = {
  verb: "gather",
  name: "menu",
  timeout: 4.5,
  max_attempts: 2,
  finish_on_key: "#",
  actions: [
    { verb: "say", text: "A", loop: 2 },
    { verb: "pause", length: 1 },
  ],
};

/** The ways in which a gather ends; the first three differ most. */
export const gathers: readonly Gather[] = [
  { how: "when nothing more is pressed", action: { ...menu, num_digits: 4 }, presses: ["7*"], digits: "7*", attempts: 1 },
  { how: "after it asked again", action: menu, presses: ["", "5#"], digits: "5", attempts: 2 },
  {
    how: "with keys that end another one",
    action: { ...menu, finish_on_key: "", num_digits: 3 },
    presses: ["1#2"],
    digits: "1#2",
    attempts: 1,
  },
  { how: "by its last key", action: { ...menu, num_digits: 2 }, presses: ["12"], digits: "12", attempts: 1 },
  { how: "by its finishing key", action: menu, presses: ["123#"], digits: "123", attempts: 1 },
  { how: "with nothing", action: menu, presses: ["", "#"], digits: "", attempts: 2 },
];

/** A call whose only action is a gather that ends so. */
export async function expectGather({ carrier, happen }: VoiceWorld, { action, presses, digits, attempts }: Gather): Promise<void> {
  const left = [...presses];
  const { call, events } = await happen({ actions: [action] }, { become: pickUp, press: () => left.shift() ?? "" });
  expect([call.gathered, call.digits, call.status]).toEqual([
    { menu: digits },
    presses.join("").replaceAll(action.finish_on_key || "-", ""),
    "completed",
  ]);
  expect(events.filter((event) => event === "gathered")).toHaveLength(1);
  const { samples, documents } = carrier.last();
  expect(documents.filter((one) => one.includes("<Gather"))).toHaveLength(attempts);
  // Said twice, and a second of silence.
  const prompt = [...chirp("A"), ...chirp("A"), ...Array(8_000).fill(0)];
  expect(samples.join() === Array.from({ length: attempts }, () => prompt).join()).toBe(true);
}
