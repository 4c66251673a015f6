import { gatherLists } from "#platform/index.ts";
import { listProfilesOf } from "./sql.ts";

/** The profiles of a project and environment: none, one or two. Concurrent reads share a statement. */
export const listProfiles = gatherLists(listProfilesOf);
