export { addMasterKey } from "./add-master-key.ts";
export { confirmMasterKeys, findKeyFaults, type KeyCtx, openOneOfEach, restoreKeys } from "./confirm-master-keys.ts";
export { followMasterKeys, type KeyFollower } from "./follow-master-keys.ts";
export { type KeySource, openKeySource } from "./key-source.ts";
export { type ListedKey, listKeysInUse, listUnfinished } from "./list-master-keys.ts";
export { adoptKeyState, fingerprintOf, readKeyState } from "./live-keys.ts";
export { type ExposedCount, revokeMasterKey } from "./revoke-master-key.ts";
export { type Rotated, type Rotation, rotateMasterKeys } from "./rotate-master-keys.ts";
export { type KeyHolder, listMasterKeys } from "./sql.ts";
