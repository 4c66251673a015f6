import { pointsOf, testCarriedTexts } from "#test/support/messages/carried-texts.ts";

testCarriedTexts(pointsOf, 1_800_000);
