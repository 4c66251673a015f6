export { type ErrorEntry, listErrors } from "./answers/error-catalogue.ts";
export { defaultHttpSettings, type HttpHouse, type HttpSettings } from "./house.ts";
export { installOperations } from "./operations/index.ts";
export { openapiOf } from "./operations/openapi.ts";
export type { RouteEntry } from "./route-table.ts";
export { installServer } from "./server.ts";
export { serverOptions } from "./server-options.ts";
