import { describe, expect, test } from "vitest";
import type { Action, GatherAction, SayAction } from "./actions.ts";
import { advance, type Effect, type Input, newScript } from "./script.ts";

const say = (text: string, loop = 1): SayAction => ({ verb: "say", text, voice: null, language: null, speed: null, loop });
const gather = (given: Partial<GatherAction> = {}): GatherAction => ({
  verb: "gather",
  name: "pin",
  num_digits: null,
  finish_on_key: "#",
  timeout: 5,
  max_attempts: 1,
  actions: [],
  action_url: null,
  ...given,
});
const url = "https://shop.example.com/next";

/** A script that is carried on by hand: what it wanted done, in a few words each. */
function play(actions: Action[], answerUrl: string | null = null) {
  let script = newScript({ actions, answerUrl, farewell: say("Goodbye.") });
  const log: string[] = [];
  let open = 0;
  const feed = (input: Input) => {
    const step = advance(script, input);
    script = step.script;
    for (const effect of step.effects) {
      if ("id" in effect && effect.do !== "stop" && effect.do !== "finish_recording") open = effect.id;
      log.push(wordsOf(effect));
    }
  };
  feed({ type: "begin" });
  return {
    log,
    feed,
    done: () => feed({ type: "done", id: open }),
    press: (keys: string) => [...keys].forEach((digit) => feed({ type: "digit", digit })),
    answer: (actions: Action[] | null) => feed({ type: "actions", id: open, actions }),
    record: (recording: string | null) => feed({ type: "recorded", id: open, recording }),
    fail: (code: "audio_failed" | "answer_failed" | "speech_failed" = "audio_failed") =>
      feed({ type: "failed", id: open, fault: { code, message: "no" } }),
    take: () => log.splice(0),
  };
}

function wordsOf(effect: Effect): string {
  switch (effect.do) {
    case "say":
      return `say ${effect.action.text}`;
    case "play":
      return `play ${effect.action.url}`;
    case "wait":
      return `wait ${effect.ms}`;
    case "listen":
      return `wait ${effect.keys.waitMs}`;
    case "send":
      return `send ${effect.action.digits}`;
    case "ask":
      return `ask ${effect.question.reason} ${effect.question.digits ?? effect.question.recording ?? ""}`.trim();
    case "gathered":
      return `gathered ${effect.name}=${effect.digits} after ${effect.attempts}`;
    case "hang_up":
      return effect.fault === null ? "hang up" : `hang up: ${effect.fault.code}`;
    case "record":
    case "finish_recording":
    case "stop":
      return effect.do;
  }
}

test("verbs are carried out one after the other, each as often as it says, and then the call ends", () => {
  const script = play([say("One", 2), { verb: "pause", length: 1.5 }, { verb: "dtmf", digits: "1w2" }, { verb: "play", url, loop: 1 }]);
  for (let step = 0; step < 5; step += 1) script.done();
  expect(script.log).toEqual(["say One", "say One", "wait 1500", "send 1w2", `play ${url}`, "hang up"]);
  script.done();
  script.press("1");
  expect(script.log).toHaveLength(6);
});

test("what a carrier already waited for isn't waited for again", () => {
  const script = play([gather({ actions: [say("PIN?", 2), { verb: "pause", length: 1 }], num_digits: 4, max_attempts: 2 })]);
  script.feed({ type: "done", id: 1, waited: true });
  expect(script.take()).toEqual(["say PIN?", "say PIN?"]);
  script.feed({ type: "done", id: 2, waited: true });
  expect(script.log).toEqual(["gathered pin= after 2", "hang up"]);
  const { effects } = advance(
    newScript({ actions: [gather({ actions: [say("PIN?", 2)], num_digits: 4 })], answerUrl: null, farewell: say("") }),
    {
      type: "begin",
    },
  );
  expect(effects).toMatchObject([
    { do: "say", prompt: { rest: [{ verb: "say", loop: 1 }], keys: { most: 4, had: 0, finish: "#", waitMs: 5_000 } } },
  ]);
});

test("nothing follows a hangup", () => {
  expect(play([{ verb: "hangup" }, say("Never")]).log).toEqual(["hang up"]);
});

describe("a gather", () => {
  test("stops its prompt at the first key, and restarts its wait after each", () => {
    const script = play([gather({ actions: [say("Your PIN"), say("please")] })]);
    script.done();
    script.press("12");
    expect(script.take()).toEqual(["say Your PIN", "say please", "stop", "wait 5000", "stop", "wait 5000", "stop", "wait 5000"]);
    script.press("#");
    expect(script.take()).toEqual(["stop", "gathered pin=12 after 1", "hang up"]);
  });

  test.each<[string, Partial<GatherAction>, string, string]>([
    ["so many keys", { num_digits: 3 }, "1234", "123"],
    ["its own key", { finish_on_key: "*" }, "1#2*", "1#2"],
    ["no key of all, but for their number", { finish_on_key: "", num_digits: 4 }, "12#*", "12#*"],
    ["as many as it takes at most", { finish_on_key: "" }, "1".repeat(40), "1".repeat(32)],
  ])("ends with %s", (_name, given, keys, digits) => {
    const script = play([gather(given), say("Next")]);
    script.press(keys);
    expect(script.log).toContain(`gathered pin=${digits} after 1`);
  });

  test("ends if no key is pressed for a while, with the keys pressed until then", () => {
    const script = play([gather()]);
    script.press("7");
    script.done();
    expect(script.take().slice(-2)).toEqual(["gathered pin=7 after 1", "hang up"]);
  });

  test("repeats its prompt while nothing is pressed, as often as allowed", () => {
    const script = play([gather({ max_attempts: 3, actions: [say("PIN?")] })]);
    for (let step = 0; step < 6; step += 1) script.done();
    expect(script.log).toEqual([
      "say PIN?",
      "wait 5000",
      "say PIN?",
      "wait 5000",
      "say PIN?",
      "wait 5000",
      "gathered pin= after 3",
      "hang up",
    ]);
  });

  test("accepts keys pressed ahead, and skips its prompt", () => {
    const script = play([say("Enter your PIN"), gather({ num_digits: 4, actions: [say("now")] }), say("Thank you")]);
    script.press("1234");
    script.done();
    expect(script.log).not.toContain("say now");
    expect(script.log.slice(-2)).toEqual(["gathered pin=1234 after 1", "say Thank you"]);
  });

  test("drops the key that would have ended it, and leaves all others to the next one", () => {
    const script = play([gather({ num_digits: 2 }), gather({ name: "second", num_digits: 2 })]);
    script.press("12#34");
    expect(script.log.filter((line) => line.startsWith("gathered"))).toEqual(["gathered pin=12 after 1", "gathered second=34 after 1"]);
  });

  test("reports the keys to its URL, and continues as the response says", () => {
    const script = play([gather({ action_url: url, num_digits: 1 }), say("The rest")]);
    script.press("5");
    expect(script.take().at(-1)).toBe("ask gather 5");
    script.answer([say("Instead")]);
    expect(script.take()).toEqual(["say Instead"]);
    script.done();
    expect(script.take()).toEqual(["hang up"]);
  });

  test("continues with the rest if its URL returns nothing", () => {
    const script = play([gather({ action_url: url, num_digits: 1 }), say("The rest")]);
    script.press("5");
    script.answer(null);
    expect(script.log.at(-1)).toBe("say The rest");
  });
});

test("a recording ends with its key, other keys don't go to the next gather, and its URL is notified", () => {
  const script = play([{ verb: "record", max_length: 60, finish_on_key: "#", action_url: url }, gather()]);
  script.press("1#");
  expect(script.take()).toEqual(["record", "finish_recording"]);
  script.record("rec_1");
  expect(script.take()).toEqual(["ask record rec_1"]);
  script.answer(null);
  expect(script.take()).toEqual(["wait 5000"]);
});

test("a call's own URL is requested once its keys are sent, and an empty response ends it", () => {
  const script = play([{ verb: "dtmf", digits: "9" }], url);
  script.done();
  expect(script.log).toEqual(["send 9", "ask answered"]);
  script.answer([]);
  expect(script.log.at(-1)).toBe("hang up");
});

test.each(["audio_failed", "answer_failed"] as const)("%s is said before the call ends because of it", (code) => {
  const script = play([{ verb: "play", url, loop: 1 }, say("Never")]);
  script.fail(code);
  expect(script.take()).toEqual([`play ${url}`, "say Goodbye."]);
  script.done();
  expect(script.take()).toEqual([`hang up: ${code}`]);
});

test("a call that can't speak ends immediately, also while it says goodbye", () => {
  const first = play([say("One")]);
  first.fail("speech_failed");
  expect(first.log).toEqual(["say One", "hang up: speech_failed"]);
  const second = play([{ verb: "play", url, loop: 1 }]);
  second.fail();
  second.fail("speech_failed");
  expect(second.log.at(-1)).toBe("hang up: audio_failed");
});

test("a stopped step changes nothing any more, whatever it reports", () => {
  const script = play([gather({ actions: [say("PIN?")] })]);
  script.press("1");
  script.take();
  script.feed({ type: "done", id: 1 });
  script.feed({ type: "failed", id: 1, fault: { code: "audio_failed", message: "no" } });
  expect(script.take()).toEqual([]);
});

test("a URL that always returns itself isn't requested indefinitely", () => {
  const script = play([], url);
  for (let count = 0; count <= 500; count += 1) {
    script.answer([gather({ num_digits: 1, action_url: url })]);
    script.press("1");
  }
  script.done();
  expect(script.log.filter((line) => line.startsWith("ask")).length).toBeLessThanOrEqual(500);
  expect(script.log.at(-1)).toBe("hang up: too_many_actions");
});

test("keys of a caller who floods them aren't stored", () => {
  const script = play([say("Long"), gather()]);
  script.press("1".repeat(10_000));
  script.done();
  script.press("#");
  expect(script.log.find((line) => line.startsWith("gathered"))).toBe(`gathered pin=${"1".repeat(32)} after 1`);
});
