export { changeProject } from "./change-project.ts";
export { createProject } from "./create-project.ts";
export { findProject } from "./find-project.ts";
export { listProjects } from "./list-projects.ts";
export type { ProjectRow, ProjectSettings } from "./sql.ts";
export { zoneOfProject } from "./zone-of-project.ts";
