export { confirmMasterKeys, findKeyFaults } from "./confirm-master-keys.ts";
