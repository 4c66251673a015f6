export { anchorFile, holdAnchors } from "./anchor-file.ts";
export { announceStart, clearFirstStart, createRuntime, keysIn, type Runtime } from "./create-runtime.ts";
export { makeLog } from "./log.ts";
export { limitStoreOf, openLimitStore, openLimits } from "./open-limits.ts";
