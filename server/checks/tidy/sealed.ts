import ts from "typescript";
import { type Fault, faultsOf, isProduct, isTypeScript, type Rule, type SourceFile } from "../read/sources.ts";

/** Values that are sealed but not stored in the database, so that no rotation has to find them. */
const sealedElsewhere: Readonly<Record<string, string>> = {
  "cookie.known_device": "in a browser, for at most 90 days",
  "cookie.payment_page": "in a buyer's browser, for at most two hours",
  "doctor.probe": "sealed and opened at once",
};

/** Files that encrypt without `seal`, and declare the columns that store the result; the sound of calls isn't stored anywhere. */
const encrypts: readonly string[] = [
  "server/src/platform/secrets.ts",
  "server/src/identity/second-step/sealed.sql.ts",
  "server/src/providers/voice/sip/media/rtp/srtp.ts",
];

/**
 * What a provider encrypts for its merchants, its simulator encrypts too: with the merchant's key, and none of it is in a column of ours.
 */
const simulators = /^server\/src\/providers\/payment\/[^/]+\/simulator[/.]/;

/** An undeclared sealed column keeps its old master key in a rotation, and is lost with that key. */
export const sealedColumnsAreDeclared: Rule = (files) => {
  const product = files.filter(({ path }) => path.startsWith("server/src/") && isProduct(path) && isTypeScript(path));
  const declared = new Set(product.flatMap(declaredIn));
  const undeclared = product.flatMap(placesIn).filter(({ name }) => !declared.has(name) && sealedElsewhere[name] === undefined);
  return [
    ...undeclared.map(({ path, line, name }) => ({
      path,
      line,
      message: `seals ${name}: declare it with sealedColumn in the room's sealed.sql.ts`,
    })),
    ...product
      .filter(({ path }) => !encrypts.includes(path) && !simulators.test(path))
      .flatMap((file) =>
        faultsOf(
          file,
          /\b(createCipheriv|symmetricEncrypt)\s*\(/g,
          "encrypts on its own: use seal, and declare the column with sealedColumn",
        ),
      ),
  ];
};

/** Names that are passed to `sealedColumn`. */
function declaredIn({ text }: SourceFile): string[] {
  if (!text.includes("sealedColumn({")) return [];
  return [...text.matchAll(/\bname: "(\w+\.\w+)"/g)].map(([, name = ""]) => name);
}

type Place = Omit<Fault, "message"> & { line: number; name: string };

/** Every place that something is sealed for: an object that specifies a table and a column. */
function placesIn({ path, text }: SourceFile): Place[] {
  if (!/\btable: "/.test(text)) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: Place[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const [table, column] = ["table", "column"].map((name) => textOf(node, name));
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      if (table !== null && column !== null) found.push({ path, line: line + 1, name: `${table}.${column}` });
    }
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

function textOf(node: ts.ObjectLiteralExpression, name: string): string | null {
  const given = node.properties.filter(ts.isPropertyAssignment).find((property) => property.name.getText() === name)?.initializer;
  return given !== undefined && ts.isStringLiteralLike(given) ? given.text : null;
}
