import { AppError } from "#platform/index.ts";

/** What was looked for; null where it is gone. */
export function foundOrNull<T>(found: Promise<T>): Promise<T | null> {
  return found.catch((error: unknown) => {
    if (error instanceof AppError && error.code === "resource_missing") return null;
    throw error;
  });
}
