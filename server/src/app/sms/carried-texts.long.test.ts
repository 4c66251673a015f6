import { pointsOf, testCarriedTexts } from "#test/support/messages/carried-texts.ts";

/** All of the basic plane, which most scripts are in, and a sixteenth of each other one: every text takes about a second. */
testCarriedTexts((plane) => pointsOf(plane).filter((_point, at) => plane === 0 || at % 16 === 0), { timeout: 1_800_000 });
