export { type DataFolder, FolderInUse, openDataFolder, readRunning, syncFolder, writeWhole } from "./data-folder.ts";
export { type Embedded, startEmbedded } from "./start-embedded.ts";
