import { test } from "vitest";
import { expectOutcome, expectRefused, outcomes, refusedCalls } from "#test/support/twilio/outcomes.ts";
import { voiceWorld } from "#test/support/twilio/voice-world.ts";

const world = await voiceWorld();

test.each(outcomes)("a carrier that reports $reported $more ends a call as $status", (given) => expectOutcome(world, given));

test.each(refusedCalls)("a carrier that refuses a call by $refusal ends it with $code, and isn't tried again", (given) =>
  expectRefused(world, given),
);
