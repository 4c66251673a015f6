import { allRoles, type Role } from "#identity/index.ts";

/** Every member of the merchant. */
export const everyRole: readonly Role[] = allRoles;
/** Roles that manage the merchant's account. */
export const leading: readonly Role[] = ["owner", "admin"];
/** Roles that build on the API. */
export const building: readonly Role[] = ["owner", "admin", "developer"];
/** Roles that can view the setup. */
export const looking: readonly Role[] = ["owner", "admin", "developer", "viewer"];
