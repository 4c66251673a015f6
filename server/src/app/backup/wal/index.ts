export { chooseWhole, type Until } from "./choose-wal.ts";
export { fetchWal } from "./fetch-wal.ts";
export { openShipping } from "./open-shipping.ts";
export { isOf, listUnneeded, tidyWal, UnreadableBackup, type WalHistory, walFolder } from "./wal-history.ts";
export { bytesPlaced, listWalPieces, placeWalPieces } from "./wal-pieces.ts";
