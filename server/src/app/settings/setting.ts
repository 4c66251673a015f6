import type { Static, TSchema } from "typebox";

/** One setting: its shape, its default, what it does, and what its shape can't express. */
export interface Setting<Schema extends TSchema = TSchema> {
  group: string;
  schema: Schema;
  /** null: not set, or the value follows from other settings as the sentence says. */
  default: Static<Schema> | null;
  sentence: string;
  /** Secrets are never printed, neither in logs nor in `.env.example`. */
  secret: boolean;
  /** A sentence about a fault that the schema can't detect. */
  fault?: (value: never) => string | null;
}

/** Defines the settings of a group: shape, default, sentence, and an additional check. */
export function inGroup(group: string) {
  return <Schema extends TSchema, Default extends Static<Schema> | null>(
    ...[schema, initial, sentence, fault]: [Schema, Default, string, ((value: Static<Schema>) => string | null)?]
  ) => ({
    group,
    schema,
    default: initial,
    sentence,
    secret: false,
    ...(fault === undefined ? {} : { fault: fault as (value: never) => string | null }),
  });
}

/** A setting that is never printed. */
export function secret<S extends Setting>(setting: S): S {
  return { ...setting, secret: true };
}
