import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

export interface Step {
  text: string;
  /** Repeated, each time in its own transaction, until it changes no row: moves rows without locking all of them. */
  repeats: boolean;
}

export interface Migration {
  number: number;
  name: string;
  /** SHA-256 of the file, in hex, with line ends as LF. */
  checksum: string;
  text: string;
  /** The oldest program that may run once this is applied, as the highest migration it knows; null if it excludes no program. */
  minProgram: number | null;
  /** Null for a migration that is a single transaction, like nearly all. */
  steps: Step[] | null;
}

const fileName = /^\d{4}_\w+\.sql$/;

/**
 * The numbered files of `folder`, in order. A file's options are in separate comment lines: `-- min_program: 52`, and `-- transaction:
 * none` for one whose statements each follow a line `-- step` or `-- step: repeat`. Throws if two files have the same number or a file has
 * another form.
 */
export async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => fileName.test(name)).sort();
  const migrations = await Promise.all(names.map(async (name) => readMigration(name, await readFile(new URL(name, folder), "utf8"))));
  const duplicate = migrations.find(({ number }, index) => number === migrations[index + 1]?.number);
  if (duplicate !== undefined)
    throw new Error(`Two migrations have the number of ${duplicate.name}. Give one of them the next free number.`);
  return migrations;
}

/** One file's options and statements. */
export function readMigration(name: string, written: string): Migration {
  const text = written.replaceAll("\r\n", "\n");
  const number = Number(name.slice(0, 4));
  const minProgram = /^-- min_program: (\d{1,4})$/m.exec(text)?.[1];
  if (minProgram !== undefined && Number(minProgram) >= number) {
    throw new Error(
      `${name} has the min_program ${minProgram}. That must be an earlier migration: the previous version has to keep running while this is rolled out.`,
    );
  }
  return {
    number,
    name,
    checksum: createHash("sha256").update(text).digest("hex"),
    text,
    minProgram: minProgram === undefined ? null : Number(minProgram),
    steps: /^-- transaction: none$/m.test(text) ? readSteps(name, text) : null,
  };
}

function readSteps(name: string, text: string): Step[] {
  const [before = "", ...rest] = text.split(/^-- step/m);
  if (/^(?!--)\S/m.test(before)) throw new Error(`${name} has a statement before its first line "-- step".`);
  const steps = rest.map((part): Step => {
    const end = part.indexOf("\n");
    return { text: part.slice(end + 1).trim(), repeats: part.slice(0, end).trim() === ": repeat" };
  });
  if (steps.length === 0 || steps.some((step) => step.text === ""))
    throw new Error(`${name} says "transaction: none" and needs a statement after each line "-- step".`);
  return steps;
}
