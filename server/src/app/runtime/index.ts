export { anchorFile } from "./anchor-file.ts";
export { announceStart, createRuntime, forgetFirstStart, keysIn, type Runtime } from "./create-runtime.ts";
export { makeLog } from "./log.ts";
export { limitStoreOf, openLimitStore, openLimits } from "./open-limits.ts";
