import ts from "typescript";
import { type Fault, isTypeScript, lineAt, type Rule } from "../read/sources.ts";

/** Names that the code had before, with the field's own terms. Columns, JSON and what other versions read keep theirs. */
const earlier = (
  [
    ["deeds?", "operation"],
    ["House|furnish", "App or Runtime"],
    ["parcels?", "OutgoingEmail"],
    ["outlets?", "SendPool"],
    ["lanes?", "partition, concurrency or prefix"],
    ["told|heard|untold|unheard", "notified, reported, sent or received"],
    ["came", "received"],
    ["standing|stands", "breaker, status or active"],
    ["beside", "extra or alongside"],
    ["doors?|mends?", "what it is in the field: an endpoint, a fix"],
    ["lapsed?|begun", "expired, started"],
    ["tend(?:[A-Z]\\w*)?", "process, poll or maintain"],
    ["crowd|beats?|fates?", "clients, heartbeat, outcome"],
    ["recordOfPerson|doubted|twin|sequel", "auditIfPerson, paused, duplicate, followUp"],
    ["(?:forget|giveUp)[A-Z]\\w*", "delete or expire"],
  ] as const
).map(([words, better]) => ({ name: new RegExp(`^(?:${words})$`), better }));

/** Names are the field's own, so that a newcomer needs no glossary of ours. */
export const namesAreTheFields: Rule = (files) =>
  files
    .filter(({ path }) => isTypeScript(path))
    .flatMap((file) => {
      const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
      const faults: Fault[] = [];
      const visit = (node: ts.Node): void => {
        const better = isDeclared(node) ? earlier.find(({ name }) => name.test(node.text))?.better : undefined;
        if (better !== undefined && ts.isIdentifier(node))
          faults.push({
            path: file.path,
            line: lineAt(file.text, node.getStart(source)),
            message: `${node.text} is an earlier name: say ${better}`,
          });
        node.forEachChild(visit);
      };
      visit(source);
      return faults;
    });

/** The name of a variable, parameter, function or type. Properties are columns and JSON more often than not. */
function isDeclared(node: ts.Node): node is ts.Identifier {
  if (!ts.isIdentifier(node)) return false;
  const { parent } = node;
  const isOwn =
    ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isFunctionDeclaration(parent) ||
    ts.isClassDeclaration(parent) ||
    ts.isInterfaceDeclaration(parent) ||
    ts.isTypeAliasDeclaration(parent);
  return isOwn && parent.name === node;
}
