import { chmod, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** System emails of this installation, stored as files that only their owner can read. */
export interface OwnMailFolder {
  readonly path: string;
  /** Stores an email completely or not at all, and removes old ones; returns the file. The same id is the same file. */
  keep(id: string, raw: Buffer): Promise<string>;
  /** Removes expired ones. */
  tidy(): Promise<void>;
  /** Removes all. */
  empty(): Promise<void>;
  /** Newest first. */
  list(): Promise<StoredMail[]>;
}

export interface StoredMail {
  id: string;
  file: string;
  kept_at: Date;
  read(): Promise<Buffer>;
}

const maxFiles = 200;
const maxDays = 7;
const ending = ".eml";

/** The folder `mail` in the data folder, created when the first email is stored. */
export function ownMailFolder(dataFolder: string, now: () => Date): OwnMailFolder {
  const path = join(dataFolder, "mail");
  return {
    path,
    async keep(id, raw) {
      if (!/^[\w-]{1,64}$/.test(id)) throw new Error("a mail's id cannot be the name of a file");
      await mkdir(path, { recursive: true, mode: 0o700 });
      await chmod(path, 0o700);
      const file = join(path, `${id}${ending}`);
      await writeAtomically(file, raw);
      await clearAway(path, now());
      return file;
    },
    tidy: () => clearAway(path, now()),
    async empty() {
      for (const { file } of await listMails(path)) await rm(file, { force: true });
    },
    list: () => listMails(path),
  };
}

async function writeAtomically(file: string, raw: Buffer): Promise<void> {
  const temporary = `${file}.new`;
  await rm(temporary, { force: true });
  const handle = await open(temporary, "wx", 0o600);
  try {
    await handle.writeFile(raw);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}

/** They contain links that open accounts: only a few are stored, and not for long. */
async function clearAway(path: string, now: Date): Promise<void> {
  const oldest = now.getTime() - maxDays * 86_400_000;
  const mails = await listMails(path);
  const old = mails.filter(({ kept_at }, index) => index >= maxFiles || kept_at.getTime() < oldest);
  for (const { file } of old) await rm(file, { force: true });
}

async function listMails(path: string): Promise<StoredMail[]> {
  const names = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const found = await Promise.all(names.filter((name) => name.endsWith(ending)).map((name) => readMail(path, name)));
  return found
    .filter((one) => one !== null)
    .sort((left, right) => right.kept_at.getTime() - left.kept_at.getTime() || (left.id < right.id ? 1 : -1));
}

/** null if another process has removed it in the meantime. */
async function readMail(path: string, name: string): Promise<StoredMail | null> {
  const file = join(path, name);
  const seen = await stat(file).catch(() => null);
  return seen === null ? null : { id: name.slice(0, -ending.length), file, kept_at: seen.mtime, read: () => readFile(file) };
}
