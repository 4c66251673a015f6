import { expect, test } from "vitest";
import { picturesWait, whilePicturesWait } from "#test/support/pictures/picture-process.ts";
import { photo, pngBomb, readPicture } from "#test/support/pictures/pictures.ts";

const small = await photo(64, 48);
const largest = pngBomb(5_000, true);
const damaged = Buffer.from("no picture");

test("pictures survive the death of the process that reads them, and damaged ones are refused by the next", async () => {
  const senders = newSenders();
  await whilePicturesWait(async (pid) => {
    senders.send({ owner: "busy", picture: damaged, count: 101 });
    await picturesWait(() => 101 - senders.refused.length);
    expect(senders.refused).toEqual(["busy service_unavailable"]);
    senders.send({ owner: "calm", picture: small, count: 4 });
    await picturesWait(() => 104);
    process.kill(pid, "SIGKILL");
  });
  await senders.end();
  expect(senders.read).toEqual(Array(4).fill("calm"));
  expect(senders.refused.filter((one) => one === "busy image_unreadable").length).toBe(100);
});

// Its share is whole again, after pictures that were refused and a process that died with some.
test("a project that sends 105 pictures at once fills its own share, and another project's pictures alternate with them", async () => {
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

test("one of the largest pictures isn't overtaken by all the small ones of another project", async () => {
  const senders = newSenders();
  await whilePicturesWait(async () => {
    senders.send({ owner: "busy", picture: small, count: 25 });
    await picturesWait(() => 25);
    senders.send({ owner: "calm", picture: largest, count: 1 });
    await picturesWait(() => 26);
  });
  await senders.end();
  expect(senders.read.indexOf("calm")).toBeLessThan(10);
});

test("a small picture waits for one of another project's largest, not for all that the process has", async () => {
  const senders = newSenders();
  await whilePicturesWait(async () => {
    senders.send({ owner: "busy", picture: largest, count: 2 });
    await picturesWait(() => 2);
    senders.send({ owner: "calm", picture: small, count: 1 });
    await picturesWait(() => 3);
  });
  await senders.end();
  expect(senders.read.indexOf("calm")).toBeLessThan(2);
});

/**
 * Pictures from several projects, with the order in which they were read or refused. They are small and not searched for codes, which would
 * take longer than everything else.
 */
function newSenders() {
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
