import { ApiError } from "../client.ts";
import { useNotify } from "../errors.tsx";

/**
 * For a dialog that keeps what it was opened on: after someone else's change it closes with a note, and the page shows their version. Other
 * refusals are thrown.
 */
export function useClosing(): (error: unknown) => void {
  const notify = useNotify();
  return (error) => {
    if (!(error instanceof ApiError) || error.code !== "version_conflict") throw error;
    notify.refused(error);
  };
}
