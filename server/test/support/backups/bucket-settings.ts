/** The settings that copy backups and write-ahead log to the bucket `backups` of a store. */
export const bucketSettings = ({ endpoint }: { endpoint: string }) => ({
  BACKUP_S3_ENDPOINT: endpoint,
  BACKUP_S3_BUCKET: "backups",
  BACKUP_S3_ACCESS_KEY_ID: "a",
  BACKUP_S3_SECRET_ACCESS_KEY: "b",
});
