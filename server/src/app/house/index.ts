export { anchorFile } from "./anchor-file.ts";
export { makeLog } from "./log.ts";
export { forgetFirstStart, type House, openHouse } from "./open-house.ts";
export { limitStoreOf, openLimitStore, openLimits } from "./open-limits.ts";
