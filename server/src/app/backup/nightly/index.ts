export { measureBackups } from "./measure-backups.ts";
export { startNightly } from "./run-nightly.ts";
