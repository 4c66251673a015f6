import { expect, test } from "vitest";
import { picturesWait, whilePicturesWait } from "#test/support/pictures/picture-process.ts";
import { photo, pngBomb, readPicture } from "#test/support/pictures/pictures.ts";

const small = await photo(64, 48);
const largest = pngBomb(5_000, true);
const damaged = Buffer.from("no picture");

test("pictures survive the death of the process that reads them", async () => {
  const crowd = newCrowd();
  await whilePicturesWait(async (pid) => {
    crowd.send({ owner: "many", picture: small, count: 4 });
    await picturesWait(() => 4);
    process.kill(pid, "SIGKILL");
  });
  await crowd.end();
  expect([crowd.read.length, crowd.refused]).toEqual([4, []]);
});

test("a project that sends 150 pictures at once fills its own share, and another project's pictures alternate with them", async () => {
  const crowd = newCrowd();
  await whilePicturesWait(async () => {
    crowd.send({ owner: "busy", picture: small, count: 150 });
    await picturesWait(() => 150 - crowd.refused.length);
    crowd.send({ owner: "calm", picture: small, count: 10 });
    await picturesWait(() => 160 - crowd.refused.length);
  });
  await crowd.end();
  const places = crowd.read.flatMap((owner, place) => (owner === "calm" ? [place] : []));
  expect(places.length).toBe(10);
  expect(places[0]).toBeLessThan(10);
  expect(places.at(-1)).toBeLessThan(40);
  expect(crowd.refused).toEqual(Array.from({ length: 50 }, () => "busy service_unavailable"));
});

test("a share is returned if its pictures are refused, and if the process dies while reading them", async () => {
  const full = { owner: "full", picture: damaged, count: 101 };
  for (const end of ["SIGCONT", "SIGKILL", "SIGCONT"] as const) {
    const crowd = newCrowd();
    await whilePicturesWait(async (pid) => {
      crowd.send(full);
      await picturesWait(() => 101 - crowd.refused.length);
      expect(crowd.refused).toEqual(["full service_unavailable"]);
      process.kill(pid, end);
    });
    await crowd.end();
    expect(crowd.refused.filter((one) => one === "full image_unreadable").length).toBe(100);
  }
});

test("one of the largest pictures isn't overtaken by all the small ones of another project", async () => {
  const crowd = newCrowd();
  await whilePicturesWait(async () => {
    crowd.send({ owner: "busy", picture: small, count: 60 });
    await picturesWait(() => 60);
    crowd.send({ owner: "calm", picture: largest, count: 1 });
    await picturesWait(() => 61);
  });
  await crowd.end();
  expect(crowd.read.indexOf("calm")).toBeLessThan(10);
});

test("a small picture waits for one of another project's largest, not for all that the process has", async () => {
  const crowd = newCrowd();
  await whilePicturesWait(async () => {
    crowd.send({ owner: "busy", picture: largest, count: 2 });
    await picturesWait(() => 2);
    crowd.send({ owner: "calm", picture: small, count: 1 });
    await picturesWait(() => 3);
  });
  await crowd.end();
  expect(crowd.read.indexOf("calm")).toBeLessThan(2);
});

/**
 * Pictures from several projects, with the order in which they were read or refused. They are small and not searched for codes, which would
 * take longer than everything else.
 */
function newCrowd() {
  const [read, refused, sent]: [string[], string[], Promise<unknown>[]] = [[], [], []];
  return {
    read,
    refused,
    send({ owner, picture, count }: { owner: string; picture: Buffer; count: number }) {
      for (let sending = 0; sending < count; sending += 1) {
        sent.push(
          readPicture(picture, { owner, decode: false, logoSide: 64 }).then(
            () => read.push(owner),
            (error) => refused.push(`${owner} ${error.code}`),
          ),
        );
      }
    },
    end: () => Promise.all(sent),
  };
}
