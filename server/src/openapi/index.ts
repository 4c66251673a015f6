export { buildDocument, type Edition } from "./build-document.ts";
export { documentFaults } from "./check-document.ts";
export { cleanSchema, mapValues, refOf } from "./clean-schema.ts";
export { deriveExample } from "./derive-example.ts";
export { eventComponents } from "./describe-events.ts";
export type { Document as OpenapiDocument } from "./types.ts";
