import ts from "typescript";
import { type Fault, isProduct, isTypeScript, type Rule, type SourceFile } from "../read/sources.ts";

/** Files that cast a body, and why no schema gives it its type there. */
const casts: Readonly<Record<string, string>> = {
  "server/src/requests/uploads.ts": "one route accepts JSON or a form",
  "server/src/http/messaging/read-batch.ts": "a batch is validated item by item",
  "server/src/requests/bodies/lift-contents.ts": "reads a body of any shape, before it is validated",
  "server/src/http/public/index.ts": "parses a form's text",
  "server/src/requests/validation/parse-json.ts": "parses the bytes of JSON",
  "server/src/openapi/describe-operation.ts": "reads the schema of a body",
};

/** A cast keeps its type when the body's schema changes: a field that is renamed there is then absent, and no compiler says so. */
export const bodiesAreNotCast: Rule = (files) =>
  files
    .filter(({ path }) => /^server\/src\/(?:requests|openapi|http)\//.test(path) && isProduct(path))
    .filter(({ path }) => isTypeScript(path) && casts[path] === undefined)
    .flatMap(faultsIn);

function faultsIn({ path, text }: SourceFile): Fault[] {
  if (!/\bbody\b/.test(text)) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const faults: Fault[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isAsExpression(node) && isOfBody(node.expression))
      faults.push({
        path,
        line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1,
        message: "casts a request's body: pass it as its schema types it, and let the schema's fields satisfy FieldsOf<Input>",
      });
    else node.forEachChild(visit);
  };
  visit(source);
  return faults;
}

/** True for a body, a part of one, and what is made from one. */
function isOfBody(node: ts.Node): boolean {
  if (ts.isFunctionLike(node)) return false;
  if (ts.isIdentifier(node)) return node.text === "body" && !isNameOfField(node);
  return node.forEachChild(isOfBody) ?? false;
}

/** In `{ body: text }`, the name isn't a value. */
function isNameOfField(node: ts.Identifier): boolean {
  return ts.isPropertyAssignment(node.parent) && node.parent.name === node;
}
