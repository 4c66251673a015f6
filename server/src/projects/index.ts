export { createProject, type NewProject } from "./create-project.ts";
export { findProject } from "./find-project.ts";
export type { ProjectRow, ProjectSettings } from "./sql.ts";
