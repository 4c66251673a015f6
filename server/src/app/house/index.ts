export { localFileStore } from "./local-file-store.ts";
export { makeLog, maskSecrets } from "./log.ts";
export { forgetFirstStart, type House, openHouse } from "./open-house.ts";
