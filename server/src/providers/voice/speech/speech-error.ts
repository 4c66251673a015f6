/** Why a text wasn't spoken: a sentence that merchants may read. */
export class SpeechError extends Error {}
