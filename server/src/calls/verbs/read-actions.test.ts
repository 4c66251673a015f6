import { expect, test } from "vitest";
import { readActions } from "./read-actions.ts";

const url = "https://shop.example.com/sound.wav";

test("every verb is read, with defaults for what was omitted", () => {
  const given = [
    { verb: "say", text: "Hello", voice: "en-us", language: "en-US", speed: 1.5, loop: 2 },
    { verb: "play", url },
    { verb: "pause" },
    { verb: "gather", actions: [{ verb: "say", text: "PIN?" }] },
    { verb: "record" },
    { verb: "dtmf", digits: "1w2W#" },
    { verb: "hangup" },
  ];
  const { actions, faults, urls } = readActions(given);
  expect(faults).toEqual([]);
  expect(urls).toEqual([{ param: "actions[1].url", url }]);
  expect(actions).toEqual([
    given[0],
    { verb: "play", url, loop: 1 },
    { verb: "pause", length: 1 },
    {
      ...{ verb: "gather", name: "digits", num_digits: null, finish_on_key: "#", timeout: 5, max_attempts: 1, action_url: null },
      actions: [{ verb: "say", text: "PIN?", voice: null, language: null, speed: null, loop: 1 }],
    },
    { verb: "record", max_length: 60, finish_on_key: "#", action_url: null },
    { verb: "dtmf", digits: "1w2W#" },
    { verb: "hangup" },
  ]);
  // What is stored is read again when the call is answered.
  expect(readActions(actions)).toMatchObject({ actions, faults: [] });
});

const refused: [name: string, actions: unknown, param: string, code: string][] = [
  ["no list", "say", "actions", "parameter_invalid"],
  ["an empty list", [], "actions", "parameter_invalid"],
  ["no object", [5], "actions[0].verb", "parameter_invalid"],
  ["null", [null], "actions[0].verb", "parameter_invalid"],
  ["an unknown verb", [{ verb: "sing" }], "actions[0].verb", "parameter_invalid"],
  ["a verb of the prototype", [{ verb: "constructor" }], "actions[0].verb", "parameter_invalid"],
  ["a say without a text", [{ verb: "say" }], "actions[0].text", "parameter_missing"],
  ["a text that is none", [{ verb: "say", text: 5 }], "actions[0].text", "parameter_invalid"],
  ["a field of another verb", [{ verb: "say", text: "a", url }], "actions[0].url", "parameter_unknown"],
  ["too much to say", [{ verb: "say", text: "a".repeat(4_001) }], "actions[0].text", "parameter_invalid"],
  ["too much to say in all", Array.from({ length: 3 }, () => ({ verb: "say", text: "a".repeat(1_400) })), "actions", "parameter_invalid"],
  ["51 verbs", Array.from({ length: 51 }, () => ({ verb: "pause" })), "actions", "parameter_invalid"],
  [
    "51 verbs with those in gathers",
    [{ verb: "gather", actions: Array.from({ length: 50 }, () => ({ verb: "pause" })) }],
    "actions",
    "parameter_invalid",
  ],
  ["a gather in a gather", [{ verb: "gather", actions: [{ verb: "gather" }] }], "actions[0].actions[0].verb", "parameter_invalid"],
  ["prompts that are no list", [{ verb: "gather", actions: {} }], "actions[0].actions", "parameter_invalid"],
  ["an endless loop", [{ verb: "say", text: "a", loop: 0 }], "actions[0].loop", "parameter_invalid"],
  ["half a loop", [{ verb: "say", text: "a", loop: 1.5 }], "actions[0].loop", "parameter_invalid"],
  ["a speed that is none", [{ verb: "say", text: "a", speed: Number.NaN }], "actions[0].speed", "parameter_invalid"],
  ["a voice that is an option", [{ verb: "say", text: "a", voice: "--output=/etc" }], "actions[0].voice", "parameter_invalid"],
  ["a language that is none", [{ verb: "say", text: "a", language: "en US" }], "actions[0].language", "parameter_invalid"],
  ["a long pause", [{ verb: "pause", length: 61 }], "actions[0].length", "parameter_invalid"],
  ["a name of the prototype", [{ verb: "gather", name: "__proto__" }], "actions[0].name", "parameter_invalid"],
  ["two keys that end", [{ verb: "gather", finish_on_key: "##" }], "actions[0].finish_on_key", "parameter_invalid"],
  ["a recording of hours", [{ verb: "record", max_length: 7_200 }], "actions[0].max_length", "parameter_invalid"],
  ["keys that no telephone has", [{ verb: "dtmf", digits: "1x" }], "actions[0].digits", "parameter_invalid"],
  ["no keys", [{ verb: "dtmf" }], "actions[0].digits", "parameter_missing"],
  ["an address without end", [{ verb: "play", url: `https://a.example/${"a".repeat(3_000)}` }], "actions[0].url", "parameter_invalid"],
];
test.each(refused)("refuses %s", (_name, actions, param, code) => {
  const { faults } = readActions(actions);
  expect(faults.map((fault) => `${fault.param} ${fault.code}`)).toContain(`${param} ${code}`);
});

test("reports every fault of every verb together", () => {
  const { faults } = readActions([
    { verb: "say" },
    { verb: "dtmf", digits: "?" },
    { verb: "gather", timeout: 0, max_attempts: 99, extra: 1 },
  ]);
  expect(faults.map(({ param }) => param).sort()).toEqual([
    "actions[0].text",
    "actions[1].digits",
    "actions[2].extra",
    "actions[2].max_attempts",
    "actions[2].timeout",
  ]);
});

test("a list of a million verbs takes no time", () => {
  const { faults } = readActions(new Array(1_000_000).fill({ verb: "pause" }));
  expect(faults).toHaveLength(1);
});
