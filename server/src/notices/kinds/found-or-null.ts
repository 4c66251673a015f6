import { AppError } from "#platform/index.ts";

/** The result of a search; null if it is missing. */
export function foundOrNull<T>(found: Promise<T>): Promise<T | null> {
  return found.catch((error: unknown) => {
    if (error instanceof AppError && error.code === "resource_missing") return null;
    throw error;
  });
}
