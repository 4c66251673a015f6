import { expect, test } from "vitest";
import { picturesWait, whilePicturesWait } from "#test/support/pictures/picture-process.ts";
import { newSenders, sendAcrossDeath, small } from "#test/support/pictures/picture-senders.ts";

test("a project that sends 105 pictures at once fills its own share, and another project's pictures alternate with them", async () => {
  // Its share is whole again, after pictures that were refused and a process that died with some.
  await sendAcrossDeath();
  const senders = newSenders();
  await whilePicturesWait(async () => {
    senders.send({ owner: "busy", picture: small, count: 105 });
    await picturesWait(() => 105 - senders.refused.length);
    senders.send({ owner: "calm", picture: small, count: 10 });
    await picturesWait(() => 115 - senders.refused.length);
  });
  await senders.end();
  const places = senders.read.flatMap((owner, place) => (owner === "calm" ? [place] : []));
  expect(places.length).toBe(10);
  expect(places[0]).toBeLessThan(10);
  expect(places.at(-1)).toBeLessThan(40);
  expect(senders.refused).toEqual(Array.from({ length: 5 }, () => "busy service_unavailable"));
});
