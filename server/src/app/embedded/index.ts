export { type DataFolder, FolderInUse, openDataFolder, type Running, readRunning, syncFolder } from "./data-folder.ts";
export { type Embedded, startEmbedded } from "./start-embedded.ts";
