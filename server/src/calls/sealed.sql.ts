import { type SealedColumn, type SealPlace, sealedColumn } from "#platform/index.ts";

/** What the sealed text of a call is bound to. */
export function contentPlace(callId: string): SealPlace {
  return { table: "calls", column: "sealed_said", row: callId };
}

/** What a sealed document for a call's carrier is bound to. */
export function documentPlace(callId: string): SealPlace {
  return { table: "call_lines", column: "sealed_document", row: callId };
}

/** What a sealed audio file for a call's carrier is bound to. */
export function soundPlace(callId: string): SealPlace {
  return { table: "call_lines", column: "sealed_sound", row: callId };
}

/** Columns with call texts that contain secrets: codes, which have expired in an old copy. */
export const callSecrets: readonly SealedColumn[] = [
  sealedColumn({
    name: "calls.sealed_said",
    table: (tag) => tag`calls`,
    column: (tag) => tag`sealed_said`,
    row: (tag) => tag`id`,
    // Each branch has its own index; ended calls have no sealed text.
    where: (tag) => tag`(state = 'waiting' or state = 'due' or state = 'leased' or state = 'set_aside') and sealed_said is not null`,
    exposes: null,
  }),
  sealedColumn({
    name: "call_lines.sealed_document",
    table: (tag) => tag`call_lines`,
    column: (tag) => tag`sealed_document`,
    row: (tag) => tag`call_id`,
    where: (tag) => tag`sealed_document is not null`,
    exposes: null,
  }),
  sealedColumn({
    name: "call_lines.sealed_sound",
    table: (tag) => tag`call_lines`,
    column: (tag) => tag`sealed_sound`,
    row: (tag) => tag`call_id`,
    where: (tag) => tag`sealed_sound is not null`,
    exposes: null,
  }),
];
