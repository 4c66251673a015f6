export { installOperations } from "./operations/index.ts";
export { watchEventLoop } from "./operations/watchdog/watch-event-loop.ts";
export { installServer } from "./server/install-server.ts";
export { serverOptions } from "./server/server-options.ts";
