import { formatLsn, parseLsn, type WalStream } from "#platform/index.ts";
import type { Runtime } from "../../runtime/index.ts";
import { listBackups } from "../archive/backup-folder.ts";
import { readBackupState, writeBackupState } from "../state/backup-state.ts";
import { recordFailure } from "../state/record-failure.ts";
import { isOf, type WalHistory, walFolder } from "./wal-history.ts";
import { listWalPieces } from "./wal-pieces.ts";

type Source = Pick<Runtime, "ctx" | "log" | "settings">;
type Beginning = Pick<WalStream, "timeline" | "start" | "isGap">;

const reason = "Part of the write-ahead log wasn't copied and is gone. Until the next backup, `restore --at` can't reach times after this.";

/**
 * Records where copying begins if that isn't where earlier pieces or a backup end, so that a backup is taken soon. If something is missing
 * in between, it counts as a failure until then.
 */
export async function noteBeginning(
  runtime: Source,
  { timeline, start, isGap, history }: Beginning & { history: WalHistory },
): Promise<void> {
  const { BACKUP_DIR, TILLPOST_DATA_DIR } = runtime.settings;
  const pieces = (await listWalPieces(walFolder(BACKUP_DIR, history))).filter((piece) => piece.timeline === timeline);
  const backups = (await listBackups(BACKUP_DIR)).filter(({ manifest }) => isOf(manifest.postgres, history));
  const ends = [...pieces.map(({ end }) => end), ...backups.map(({ manifest }) => parseLsn(manifest.postgres.end.lsn))];
  if (!isGap && ends.some((end) => end >= start)) return;
  const began = { at: runtime.ctx.now().toISOString(), lsn: formatLsn(start), ...history };
  // The stream may break before there is a piece.
  if (readBackupState(TILLPOST_DATA_DIR).wal_began?.lsn === began.lsn) return;
  await writeBackupState(TILLPOST_DATA_DIR, { wal_began: began });
  if (!isGap && pieces.length === 0) return;
  runtime.log.error("part of the write-ahead log wasn't copied in time and is gone; a new backup is needed");
  await recordFailure(runtime, { at: began.at, reason });
}
