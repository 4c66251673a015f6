import { expect } from "vitest";
import { picturesWait, whilePicturesWait } from "./picture-process.ts";
import { photo, readPicture } from "./pictures.ts";

export const small: Buffer = await photo(64, 48);
const damaged = Buffer.from("no picture");

/**
 * Pictures from several projects, with the order in which they were read or refused. They are small and not searched for codes, which would
 * take longer than everything else.
 */
export function newSenders() {
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

/** Damaged and readable pictures that wait when the process that reads them dies. Resolves when each was read or refused. */
export async function sendAcrossDeath(): Promise<Pick<ReturnType<typeof newSenders>, "read" | "refused">> {
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
  return senders;
}
