export { fetchWal } from "./fetch-wal.ts";
export { openShipping } from "./open-shipping.ts";
export { listWalPieces, piecesAfter, placeWalPieces, removeWalBefore, requireWholePieces, walFolder } from "./wal-pieces.ts";
