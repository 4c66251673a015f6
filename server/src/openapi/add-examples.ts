import { nameOf } from "./clean-schema.ts";
import { deriveExample } from "./derive-example.ts";
import { answers, requests } from "./examples/overlays.ts";
import { storyId } from "./examples/story.ts";
import type { Document, Media, Operation, Schema } from "./types.ts";

/** Gives every request, response and event of the document a complete example. A response repeats its request's values. */
export function addExamples(document: Document): void {
  const { schemas } = document.components;
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const operation of Object.values(methods)) addToOperation(schemas, operation, path);
  }
  for (const { post } of Object.values(document.webhooks ?? {})) {
    for (const media of Object.values(post.requestBody?.content ?? {}))
      media.example ??= deriveExample(schemas, media.schema, { owner: "", name: "", isRequest: false });
  }
}

function addToOperation(schemas: Record<string, Schema>, operation: Operation, path: string): void {
  const id = operation.operationId.replace(/Flat$/, "");
  let sent: unknown;
  for (const media of Object.values(operation.requestBody?.content ?? {})) {
    const derived = deriveExample(schemas, media.schema, { owner: "", name: "", isRequest: true });
    media.example ??= id in requests ? requests[id] : derived;
    sent ??= media.example;
  }
  for (const answer of Object.values(operation.responses)) {
    const media = answer.content?.["application/json"];
    if (media !== undefined && media.example === undefined) media.example = answerOf(schemas, media, { id, path, sent });
  }
}

interface ExampleRequest {
  id: string;
  path: string;
  sent: unknown;
}

function answerOf(schemas: Record<string, Schema>, media: Media, { id, path, sent }: ExampleRequest): unknown {
  const derived = deriveExample(schemas, media.schema, { owner: "", name: "", isRequest: false });
  if (!isRecord(derived)) return derived;
  const shown = media.schema.$ref === undefined ? media.schema : (schemas[nameOf(media.schema.$ref)] ?? {});
  if (derived["object"] === "list") return listAt(derived, path);
  const echoed = isRecord(sent)
    ? Object.fromEntries(Object.entries(sent).filter(([name]) => isEcho(shown, derived, { name, value: sent[name] })))
    : {};
  return { ...derived, ...echoed, ...answers[id] };
}

/** Whether a response has a field as it was sent, with a value of an allowed type. */
function isEcho(shown: Schema, derived: Record<string, unknown>, { name, value }: { name: string; value: unknown }): boolean {
  const field = shown.properties?.[name];
  if (field === undefined || name === "object" || name === "status") return false;
  const before = derived[name];
  if (before === null || before === undefined || value === null)
    return (
      field.enum === undefined &&
      !isRecord(value) &&
      !Array.isArray(value) &&
      typeof value === "string" &&
      [field.type].flat().includes("string")
    );
  return typeof before === typeof value && Array.isArray(before) === Array.isArray(value) && !isRecord(value);
}

function listAt(list: Record<string, unknown>, path: string): Record<string, unknown> {
  const ids: Record<string, string> = { projectId: storyId("prj"), token: "pl_test_4Zq8cJx0mB7vN2sT5yR1kW9dF3hL6aPe" };
  const url = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? idIn(path));
  return { ...list, url, has_more: false, next_cursor: null };
}

const families: Record<string, string> = { orders: "ord", webhooks: "we", emails: "em", events: "evt", receipts: "rcp", batches: "bat" };

/** The id of the object that the list belongs to, by the word before it. */
function idIn(path: string): string {
  const family = /\/(\w+)\/\{id\}/.exec(path)?.[1] ?? "";
  return storyId(families[family] ?? "obj");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
