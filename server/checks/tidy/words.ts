import { faultsOf, isProduct, isSqlFile, isTypeScript, lineAt, type Rule } from "../read/sources.ts";

const empty = ["manager", "helper", "helpers", "util", "utils", "service", "services", "base", "common", "lib", "misc"];
const emptyEnding = /\b(?:class|interface|type|function|const)\s+(\w*(?:Manager|Helpers?|Utils?|Service|Base))\b/g;

/** Names say what a thing is or does; these words say neither. */
export const namesSaySomething: Rule = (files) =>
  files.flatMap((file) => {
    const word = file.path.split(/[/.-]/).find((part) => empty.includes(part.toLowerCase()));
    const inPath =
      word === undefined
        ? []
        : [{ path: file.path, message: `${JSON.stringify(word)} in a path says nothing: name the file after what it does` }];
    const inCode = isTypeScript(file.path)
      ? faultsOf(
          file,
          emptyEnding,
          "a name that ends in Manager, Helper, Util, Service or Base says nothing: name the operation or the thing",
        )
      : [];
    return [...inPath, ...inCode];
  });

const postponed = new RegExp(`\\b(${["TO" + "DO", "FIX" + "ME"].join("|")})\\b`, "g");
const leftOut = /\b(?:test|it|describe)(?:\.\w+)*\.(?:skip|only|todo|skipIf|runIf|fails)\b/g;

/** No test is skipped and nothing is postponed. */
export const nothingIsPutOff: Rule = (files) =>
  files.flatMap((file) => [
    ...faultsOf(file, postponed, "is put off: do it now or open an issue"),
    ...(/\.test\.tsx?$/.test(file.path) ? faultsOf(file, leftOut, "leaves tests out: mend the test or delete it") : []),
  ]);

const sqlVerbs = ["find", "list", "lock", "insert", "update", "delete", "count"];

/**
 * A statement's name begins with what it does to the table: find returns one row or null, lock one for update. Settings of a transaction
 * don't belong to a table.
 */
export const statementsSayWhat: Rule = (files) =>
  files
    .filter((file) => isSqlFile(file.path) && isProduct(file.path))
    .flatMap((file) =>
      [...file.text.matchAll(/^export (?:async )?function (\w+)\(\s*(?:db|tx): [\s\S]*?^}/gm)]
        .filter(([text]) => !/`\s*(set |select set_config)/.test(text) && /`/.test(text))
        .filter(([, name = ""]) => !sqlVerbs.some((verb) => name.startsWith(verb)))
        .map((match) => ({
          path: file.path,
          line: lineAt(file.text, match.index),
          message: `${match[1]} does not say what its statement does: begin its name with ${sqlVerbs.join(", ")}`,
        })),
    );

/** Where both ways to run a command are written, and a page that only a checkout can show. */
const spellsBoth = ["server/src/app/installed/how-to-run.ts", "server/src/http/dashboard/static.ts"];

/** What the program tells people to type works where it was installed, also from the released archive, which has no npm. */
export const commandsFitThePlace: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith("server/src/") && isProduct(path) && isTypeScript(path) && !spellsBoth.includes(path))
    .flatMap((file) =>
      faultsOf(
        file,
        /^(?!\s*(?:\/\/|\/?\*)).*\bnpm (?:start|run)\b/gm,
        "tells to run npm, which an installed archive lacks: use howToRun or howToStart",
      ),
    );
