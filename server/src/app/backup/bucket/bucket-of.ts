import type { Settings } from "../../config.ts";
import type { Bucket } from "./open-bucket.ts";

/** The bucket that backups are copied to; null if none is set. Its client is loaded only if there is one. */
export async function bucketOf(settings: Settings): Promise<Bucket | null> {
  const { BACKUP_S3_ENDPOINT, BACKUP_S3_BUCKET, BACKUP_S3_ACCESS_KEY_ID, BACKUP_S3_SECRET_ACCESS_KEY } = settings;
  if (BACKUP_S3_ENDPOINT === null || BACKUP_S3_BUCKET === null || BACKUP_S3_ACCESS_KEY_ID === null || BACKUP_S3_SECRET_ACCESS_KEY === null)
    return null;
  const { openBucket } = await import("./open-bucket.ts");
  return openBucket({
    endpoint: BACKUP_S3_ENDPOINT,
    bucket: BACKUP_S3_BUCKET,
    region: settings.BACKUP_S3_REGION,
    accessKeyId: BACKUP_S3_ACCESS_KEY_ID,
    secretAccessKey: BACKUP_S3_SECRET_ACCESS_KEY,
    now: () => new Date(),
  });
}
