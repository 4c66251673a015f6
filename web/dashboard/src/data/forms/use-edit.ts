import { useEffect, useState } from "react";
import { ApiError } from "../client.ts";

/**
 * The fields of a form for an object that others may change too. What was typed stays based on the version that it started from; a newer
 * one is used while nothing is typed, after saving, and when the server reports that someone else was faster.
 */
export function useEdit<T extends { version: number }, G>(current: T, fieldsOf: (from: T) => G) {
  const [given, setGiven] = useState(() => fieldsOf(current));
  const [version, setVersion] = useState(current.version);
  const [touched, setTouched] = useState(false);
  const [outdated, setOutdated] = useState(false);
  const take = (from: T) => {
    setGiven(fieldsOf(from));
    setVersion(from.version);
    setTouched(false);
    setOutdated(false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a newer object, or the news that there is one, may change the fields
  useEffect(() => {
    if (current.version !== version && (!touched || outdated)) take(current);
  }, [current.version, outdated]);
  return {
    given,
    version,
    set(fields: Partial<G>) {
      setTouched(true);
      setGiven((before) => ({ ...before, ...fields }));
    },
    take,
    /** For an action's `onRefused`: the caller shows the conflict, and the fields follow. */
    refused(error: unknown): false {
      if (error instanceof ApiError && error.code === "version_conflict") setOutdated(true);
      return false;
    },
  };
}
