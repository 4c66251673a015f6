import fc from "fast-check";
import { expect, test } from "vitest";
import { createPace } from "./pace.ts";

test("no second contains more messages than a bind allows, however the timers fire", () => {
  const lateness = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 50, maxLength: 400 });
  fc.assert(
    fc.property(fc.constantFrom(1, 3, 50, 500), lateness, (perSecond, late) => {
      const pace = createPace(perSecond);
      const gone: number[] = [];
      let at = 0;
      for (const more of late) {
        for (let wait = pace.take(at); wait > 0; wait = pace.take(at)) at += wait + more;
        gone.push(at);
      }
      for (const [index, begins] of gone.entries()) {
        const within = gone.slice(index).filter((one) => one - begins < 999.999).length;
        expect(within).toBeLessThanOrEqual(perSecond);
      }
    }),
  );
});

test("a message is sent immediately if none was sent before", () => {
  const pace = createPace(1);
  expect([pace.take(5), pace.take(5), pace.take(505), pace.take(1_005)]).toEqual([0, 1_000, 500, 0]);
});
