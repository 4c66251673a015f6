export { type DataFolder, FolderInUse, openDataFolder, type Running } from "./data-folder.ts";
export { type Embedded, startEmbedded } from "./start-embedded.ts";
