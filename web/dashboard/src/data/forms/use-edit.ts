import { useEffect, useState } from "react";
import { ApiError } from "../client.ts";

/**
 * The fields of a form for an object that others may change too. What was typed stays based on the version that it started from; a newer
 * one is used while nothing is typed, after saving, and when the server reports that someone else was faster. If only other fields than the
 * form's changed, as by another form on the page, what was typed stays and is based on the newer one.
 */
export function useEdit<T extends { version: number }, G>(current: T, fieldsOf: (from: T) => G) {
  const [given, setGiven] = useState(() => fieldsOf(current));
  const [base, setBase] = useState(current);
  const [touched, setTouched] = useState(false);
  const [outdated, setOutdated] = useState(false);
  const take = (from: T) => {
    setGiven(fieldsOf(from));
    setBase(from);
    setTouched(false);
    setOutdated(false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a newer object, or the news that there is one, may change the fields
  useEffect(() => {
    if (current.version === base.version) return;
    if (touched && JSON.stringify(fieldsOf(current)) === JSON.stringify(fieldsOf(base))) {
      setBase(current);
      setOutdated(false);
    } else if (!touched || outdated) take(current);
  }, [current.version, outdated]);
  return {
    given,
    /** What the fields are based on, and its version. */
    base,
    version: base.version,
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
