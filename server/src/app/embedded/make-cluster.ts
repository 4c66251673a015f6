import { chownSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import type { Place } from "./postgres-place.ts";
import { initialise } from "./postmaster.ts";

/** Creates an empty database in an empty folder, with the superuser and password of this place. */
export async function makeCluster(place: Place, folder: string): Promise<void> {
  const passwordFile = `${folder}-password`;
  await writeFile(passwordFile, place.password, { mode: 0o600 });
  if (place.user !== null) chownSync(passwordFile, place.user.uid, place.user.gid);
  try {
    await initialise(place, { folder, passwordFile });
  } finally {
    await rm(passwordFile, { force: true });
  }
}
