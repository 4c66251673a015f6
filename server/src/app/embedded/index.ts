export {
  type DataFolder,
  FolderInUse,
  openDataFolder,
  readRunning,
  replaceFile,
  syncFolder,
  tryLock,
  writeAtomically,
} from "./data-folder.ts";
export { enoughBytes } from "./guard-disk.ts";
export { isBrought, majorBrought, majorOfData, majorOfPrograms } from "./majors.ts";
export { makeCluster } from "./make-cluster.ts";
export { beginData } from "./new-data.ts";
export { type Brought, listCopies, makeUsable, platformPackage } from "./postgres-binaries.ts";
export { findPlace, historyOf, type Place, readyFolder } from "./postgres-place.ts";
export { beginRestore, discardData, finishRestore, requireEmpty, requireRestored } from "./restore-folder.ts";
export { beginRestoredData, embeddedMajor, recoverData } from "./restored-data.ts";
export { runCluster } from "./run-cluster.ts";
export { type Embedded, leastFree, settleLeftovers, startEmbedded } from "./start-embedded.ts";
