import ts from "typescript";
import type { Fault, Rule } from "../read/sources.ts";

/** A route of the API with the codes that only it can answer. */
export interface DocumentedRoute {
  name: string;
  codes: { status: number; code: string }[];
}

/** Refusals that every route of its kind has are tested from its declaration; these need no separate row. */
const alike = new Set([
  "idempotency_key_in_use",
  "project_mismatch",
  "permission_denied",
  "ip_not_allowed",
  "merchant_not_verified",
  "session_required",
  "fresh_session_required",
  "origin_not_allowed",
  "route_missing",
]);
const watched = new Set([403, 404, 409]);

interface Operation {
  deprecated?: boolean;
  responses?: Record<string, { description?: string }>;
}

/** The routes of an OpenAPI document, without deprecated aliases. */
export function readRoutes(document: { paths: Record<string, Record<string, Operation>> }): DocumentedRoute[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => operation.deprecated !== true)
      .map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`, codes: codesOf(operation) })),
  );
}

function codesOf({ responses = {} }: Operation): DocumentedRoute["codes"] {
  return Object.entries(responses)
    .filter(([status]) => watched.has(Number(status)))
    .flatMap(([status, { description = "" }]) =>
      [...description.matchAll(/`([a-z_]+)`/g)].map(([, code = ""]) => ({ status: Number(status), code })),
    )
    .filter(({ code }) => !alike.has(code));
}

/**
 * Every route has a table of refusals, with a row for each status of 403, 404 and 409 that only it decides. A table is a call whose first
 * argument is the route.
 */
export const routesAreRefused =
  (routes: DocumentedRoute[]): Rule =>
  (files) => {
    const tables = files
      .filter((file) => /\.test\.ts$/.test(file.path))
      .flatMap((file) => tablesIn(ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true)));
    return routes.flatMap(({ name, codes }): Fault[] => {
      const own = tables.filter((table) => table.route.test(name));
      const path = "docs/routes.txt";
      if (own.length === 0)
        return [
          {
            path,
            message: `${name} has no table of refusals: add one beside its code with refusalsIn (server/test/support/refusals/refusals.ts)`,
          },
        ];
      const text = own.map((table) => table.text).join("\n");
      const missing = [...new Set(codes.map(({ status }) => status))].filter(
        (status) =>
          !(status === 404 && name.includes(":id")) && !codes.some(({ status: at, code }) => at === status && text.includes(code)),
      );
      return missing.map((status) => ({ path, message: `${name} can answer ${status}, but no row of its table of refusals shows it` }));
    });
  };

interface Table {
  route: RegExp;
  text: string;
}

function tablesIn(source: ts.SourceFile): Table[] {
  const constants = new Map<string, string>();
  const tables: Table[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) constants.set(node.name.text, node.getText());
    const route = ts.isCallExpression(node) && /efusals$/.test(node.expression.getText()) ? routeOf(node.arguments[0]) : null;
    if (route !== null) tables.push({ route, text: withConstants(node.getText(), constants) });
    node.forEachChild(visit);
  };
  visit(source);
  return tables;
}

/** Rows may be constants above the table: their values are part of it. */
function withConstants(text: string, constants: Map<string, string>): string {
  const named = new Set([...text.matchAll(/\b[a-zA-Z_]\w*\b/g)].map(([name]) => name));
  return [text, ...[...named].map((name) => constants.get(name) ?? "")].join("\n");
}

/** A route as text, or as a template in which each hole is one part of the path. */
function routeOf(node: ts.Expression | undefined): RegExp | null {
  if (node === undefined) return null;
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  if (ts.isStringLiteralLike(node)) return new RegExp(`^${literal(node.text)}$`);
  if (!ts.isTemplateExpression(node)) return null;
  return new RegExp(`^${literal(node.head.text)}${node.templateSpans.map((span) => `[^/]+${literal(span.literal.text)}`).join("")}$`);
}
