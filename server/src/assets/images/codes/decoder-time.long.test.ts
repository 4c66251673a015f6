import { expect, test } from "vitest";
import { decoderMs, drawGrey, hostileGreys } from "#test/support/pictures/hostile-grey.ts";

/** As many further looks as a picture gets in which nothing is found. */
const again = 9;

test.each(Object.entries(hostileGreys))(
  "costs at most three times the processor time of a blank picture of its size, whatever it contains: %s",
  async (what, isDark) => {
    await decoderMs(drawGrey(isDark, 200), 0);
    const blank = drawGrey(() => false, 2000);
    const [full, none] = [await decoderMs(drawGrey(isDark, 2000), again), await decoderMs(blank, again)];
    console.log(`${what}: ${Math.round(full)} ms at 2000 pixels a side, a blank picture ${Math.round(none)} ms`);
    expect(full).toBeLessThan(3 * none);
  },
);

test("four times the pixels full of finder patterns cost at most six times the processor time", async () => {
  const isDark = hostileGreys["finders 8 pixels apart"] ?? (() => false);
  await decoderMs(drawGrey(isDark, 200), 0);
  const few = await decoderMs(drawGrey(isDark, 1000), 0);
  expect(await decoderMs(drawGrey(isDark, 2000), 0)).toBeLessThan(6 * few);
});
