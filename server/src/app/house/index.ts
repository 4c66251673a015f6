export { anchorFile } from "./anchor-file.ts";
export { makeLog } from "./log.ts";
export { announceStart, forgetFirstStart, type House, keysIn, openHouse } from "./open-house.ts";
export { limitStoreOf, openLimitStore, openLimits } from "./open-limits.ts";
