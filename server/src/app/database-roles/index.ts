export { makeRoles } from "./make-roles.ts";
export { migrateAsOwner } from "./migrate-as-owner.ts";
export { ownerFunctions, privilegesOn } from "./privileges.ts";
export { rolesScript, usualRoles } from "./scripts.ts";
export { findRole, listHeld, listUncallable } from "./sql.ts";
