import { allRoles, type Role } from "#identity/index.ts";

/** Every member of the merchant. */
export const everyRole: readonly Role[] = allRoles;
/** Who runs the merchant's account. */
export const leading: readonly Role[] = ["owner", "admin"];
/** Who builds on the API. */
export const building: readonly Role[] = ["owner", "admin", "developer"];
/** Who may look at how things are set up. */
export const looking: readonly Role[] = ["owner", "admin", "developer", "viewer"];
