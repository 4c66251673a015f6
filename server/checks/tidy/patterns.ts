import { RegExpParser } from "@eslint-community/regexpp";
import { analyse } from "scslre";
import ts from "typescript";
import { type Fault, isProduct, type Rule, type SourceFile } from "../read/sources.ts";

/** Files whose patterns only read our own files. */
const ownFilesAlone = new Set(["server/src/checkout/page/files/compile-style.ts", "server/src/checkout/page/files/load-page-files.ts"]);

const parser = new RegExpParser();

/** A hostile text makes such a pattern take minutes, in which the process responds to no request. */
export const patternsAreLinear: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith("server/src/") && path.endsWith(".ts") && isProduct(path) && !ownFilesAlone.has(path))
    .flatMap(faultsIn);

function faultsIn(file: SourceFile): Fault[] {
  if (!file.text.includes("/")) return [];
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const faults: Fault[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node) && isSlow(node.text)) {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      faults.push({
        path: file.path,
        line,
        message: `${node.text} takes time that grows faster than its text: bound it, or read the text in a loop`,
      });
    }
    node.forEachChild(visit);
  };
  visit(source);
  return faults;
}

function isSlow(literal: string): boolean {
  const { pattern, flags } = parser.parseLiteral(literal);
  return analyse({ pattern, flags }, { reportTypes: { Move: true, Self: true, Trade: true }, maxReports: 1 }).reports.length > 0;
}
