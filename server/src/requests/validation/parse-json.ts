import { isUtf8 } from "node:buffer";
import type { FastifyInstance } from "fastify";
import { isStorable, platformErrors } from "#platform/index.ts";
import { findJsonFault } from "./find-json-fault.ts";
import { joinParam } from "./param-path.ts";
import { refuseEncoding } from "./refuse-encoding.ts";

const depthMax = 64;

/** Installs the only parser of JSON bodies. An empty body is an empty object, so that it works for routes without required fields. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    try {
      refuseEncoding(request);
      done(null, parseJson(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

/**
 * Parses a body. Duplicate keys: the last one counts. Refused: bytes that are not UTF-8, keys named `__proto__`, NUL characters and
 * unpaired surrogates (no database text can contain them), nesting deeper than 64.
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw platformErrors.invalid_json({ message: "The body isn't valid UTF-8." });
  const text = bytes.toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const fault = findJsonFault(text);
    const at = fault === null ? "" : ` Line ${fault.line}, column ${fault.column}: ${fault.sentence}.`;
    throw platformErrors.invalid_json({ message: `The body isn't valid JSON.${at}`, cause: error });
  }
  if (text.includes("\\u") || text.includes("__proto__") || isDeep(text)) checkTexts(value, { path: "", depth: 0 });
  return value;
}

/** A cheap limit: a document with few opening brackets can't be deep. */
function isDeep(text: string): boolean {
  let opened = 0;
  for (const bracket of ["[", "{"]) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) if ((opened += 1) > depthMax) return true;
  }
  return false;
}

function checkTexts(value: unknown, at: { path: string; depth: number }): void {
  if (typeof value === "string") return checkText(value, at.path);
  if (typeof value !== "object" || value === null) return;
  if (at.depth > depthMax) throw platformErrors.parameter_invalid({ reason: "too_deep", message: "The body is nested too deeply." });
  const isList = Array.isArray(value);
  for (const [name, inner] of Object.entries(value)) {
    const path = joinParam(at.path, isList ? Number(name) : name);
    if (name === "__proto__") throw platformErrors.parameter_unknown({ param: path.slice(0, 200), reason: "unknown_field" });
    checkText(name, at.path === "" ? "body" : at.path);
    checkTexts(inner, { path, depth: at.depth + 1 });
  }
}

function checkText(text: string, path: string): void {
  if (!isStorable(text)) {
    throw platformErrors.parameter_invalid({
      param: path.slice(0, 200),
      reason: "forbidden_characters",
      message: "Texts can't contain NUL characters or unpaired surrogates.",
    });
  }
}
