import { test } from "vitest";
import { expectGather, gathers } from "#test/support/twilio/gathers.ts";
import { voiceWorld } from "#test/support/twilio/voice-world.ts";

const world = await voiceWorld();

test.each(gathers)("a gather ends $how", (given) => expectGather(world, given));
