import { type ActionOptions, useAction } from "../queries.ts";
import { useFaults } from "./use-faults.ts";

/** How saving affects a form's `useEdit`. */
export interface Editing<T> {
  take(saved: T): void;
  refused(error: unknown): boolean;
}

interface Saving<T> extends Pick<ActionOptions<T>, "success" | "onDone"> {
  /** Names of the fields that show their own errors. */
  fields: readonly string[];
  edit: Editing<T>;
}

/** Saves a form on a page for an object that others may change too. */
export function useSave<T>(route: string, { fields, edit, success, onDone }: Saving<T>) {
  const { form, faults, faultOf, clear, refused } = useFaults(fields);
  const action = useAction<T>(route, {
    ...(success === undefined ? {} : { success }),
    onRefused: (error) => edit.refused(error) || refused(error),
    onDone(saved) {
      clear();
      edit.take(saved);
      onDone?.(saved);
    },
  });
  return { action, form, faults, faultOf };
}
