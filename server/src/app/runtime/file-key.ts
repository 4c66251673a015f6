const pattern = /^(?!.*\/\/)[a-z0-9][a-z0-9_/-]{0,198}[a-z0-9](\.[a-z0-9]{1,8})?$/;

/** Returns the key itself. Throws if it isn't a file key, because it could lead out of the folder or the bucket. */
export function requireFileKey(key: string): string {
  if (!pattern.test(key)) throw new Error(`not a file key: ${JSON.stringify(key)}`);
  return key;
}
