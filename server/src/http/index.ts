export { installOperations } from "./operations/index.ts";
export { buildDocument, type Document as OpenapiDocument, documentFaults } from "./operations/openapi/index.ts";
export { listErrors } from "./responses/error-catalogue.ts";
export { type BackupHealth, defaultHttpSettings, type HttpRuntime, type HttpSettings } from "./runtime.ts";
export { installServer } from "./server/install-server.ts";
export { serverOptions } from "./server/server-options.ts";
