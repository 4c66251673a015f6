/** Why a text was not spoken: a sentence that a merchant may read. */
export class SpeechError extends Error {}
