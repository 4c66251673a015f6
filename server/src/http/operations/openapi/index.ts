export { buildDocument, type Edition } from "./build-document.ts";
export { documentFaults } from "./check-document.ts";
export type { Document } from "./types.ts";
