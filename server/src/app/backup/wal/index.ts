export { fetchWal } from "./fetch-wal.ts";
export { openShipping } from "./open-shipping.ts";
export { tidyWal, walFolder } from "./wal-history.ts";
export { listWalPieces, piecesAfter, placeWalPieces, requireWholePieces } from "./wal-pieces.ts";
