import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { Document, Media, Operation } from "./types.ts";

const stories = "server/src/openapi/examples/";

/** The gaps of a document, each as a sentence that says where to fill it. */
export function documentFaults(document: Document): string[] {
  const operations = [
    ...Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => ({ at: `${method.toUpperCase()} ${path}`, one })),
    ),
    ...Object.entries(document.webhooks ?? {}).map(([event, { post }]) => ({ at: `webhook ${event}`, one: post })),
  ];
  const tags = new Set(document.tags.map(({ name }) => name));
  const seen = new Map<string, string>();
  const fits = createExampleCheck(document);
  return operations.flatMap(({ at, one }) => {
    const before = seen.get(one.operationId);
    seen.set(one.operationId, at);
    return [
      ...missing(at, one),
      ...(before === undefined || one.operationId === "" ? [] : [`${at} has the operationId of ${before}: give each route one of its own`]),
      ...one.tags.filter((tag) => !tags.has(tag)).map((tag) => `${at} has the tag ${tag}, which openapi/introduction.ts does not list`),
      ...mediaOf(one).flatMap(({ where, media }) =>
        fits(media).map(
          (fault) =>
            `${at}: the example of its ${where} ${fault}. Give that field \`examples\` in its shape, or add a line to ${stories}story.ts or overlays.ts`,
        ),
      ),
    ];
  });
}

function missing(at: string, { operationId, summary, tags, parameters = [] }: Operation): string[] {
  return [
    ...(operationId === "" ? [`${at} has no operationId: add one to its schema, such as createOrder`] : []),
    ...(summary === "" ? [`${at} has no summary: add one to its schema, such as "Create an order"`] : []),
    ...(tags.length === 0 ? [`${at} has no tags: add its chapter to its schema`] : []),
    ...parameters.flatMap(({ $ref, name, description }) =>
      $ref === undefined && (description ?? "") === "" ? [`${at}: the parameter ${name} has no description`] : [],
    ),
  ];
}

function mediaOf({ requestBody, responses }: Operation): { where: string; media: Media }[] {
  const ofRequest = Object.entries(requestBody?.content ?? {}).map(([type, media]) => ({ where: `request (${type})`, media }));
  const ofAnswers = Object.entries(responses).flatMap(([status, { content }]) => {
    const media = content?.["application/json"];
    return media === undefined ? [] : [{ where: `${status} answer`, media }];
  });
  return [...ofRequest, ...ofAnswers];
}

/** Validates an example against its schema; returns the differences. */
function createExampleCheck(document: Document): (media: Media) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, discriminator: true, validateFormats: true });
  (formats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: "document", components: document.components });
  const compiled = new Map<string, ValidateFunction>();
  return ({ schema, example }) => {
    if (example === undefined) return ["is missing"];
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object);
    compiled.set(text, validate);
    return validate(example)
      ? []
      : (validate.errors ?? []).slice(0, 3).map(({ instancePath, message }) => `does not fit: ${instancePath || "the whole"} ${message}`);
  };
}
