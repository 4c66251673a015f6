export { type DataFolder, FolderInUse, openDataFolder, readRunning, syncFolder, tryLock, writeWhole } from "./data-folder.ts";
export { beginRestore, beginRestoredData, discardData, embeddedMajor, finishRestore, recoverData, requireRestored } from "./restored-data.ts";
export { type Embedded, startEmbedded } from "./start-embedded.ts";
