export { anchorFile } from "./anchor-file.ts";
export { makeLog } from "./log.ts";
export { announceStart, createRuntime, forgetFirstStart, keysIn, type Runtime } from "./open-house.ts";
export { limitStoreOf, openLimitStore, openLimits } from "./open-limits.ts";
