import type { Static, TSchema } from "typebox";

/** One setting: its shape, the value without it, what it does, and what its shape cannot say. */
export interface Setting<Schema extends TSchema = TSchema> {
  group: string;
  schema: Schema;
  /** null: nothing is set, or the value follows from other settings as the sentence says. */
  default: Static<Schema> | null;
  sentence: string;
  /** Secrets are never printed, neither in logs nor in `.env.example`. */
  secret: boolean;
  /** A sentence about a fault that the schema cannot see. */
  fault?: (value: never) => string | null;
}

/** Makes the settings of a group: shape, value without it, sentence, and what else can be wrong with it. */
export function inGroup(group: string) {
  return <Schema extends TSchema, Default extends Static<Schema> | null>(
    ...[schema, initial, sentence, fault]: [Schema, Default, string, ((value: Static<Schema>) => string | null)?]
  ) => ({ group, schema, default: initial, sentence, secret: false, ...(fault === undefined ? {} : { fault: fault as (value: never) => string | null }) });
}

/** A setting that is never printed. */
export function secret<S extends Setting>(setting: S): S {
  return { ...setting, secret: true };
}
