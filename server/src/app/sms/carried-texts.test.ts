import { pointsOf, testCarriedTexts } from "#test/support/messages/carried-texts.ts";

const stride = 1_021;

/** Characters from all over the plane, with its last ones. */
testCarriedTexts((plane) => {
  const points = pointsOf(plane);
  return [...points.filter((_point, at) => at % stride === 0), ...points.slice(-3)];
});
