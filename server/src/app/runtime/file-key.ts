const pattern = /^(?!.*\/\/)[a-z0-9][a-z0-9_/-]{0,198}[a-z0-9](\.[a-z0-9]{1,8})?$/;

/** The key itself, or an error: what is no key could lead out of the folder or the bucket. */
export function requireFileKey(key: string): string {
  if (!pattern.test(key)) throw new Error(`not a file key: ${JSON.stringify(key)}`);
  return key;
}
