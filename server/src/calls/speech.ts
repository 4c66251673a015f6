/** How a text is to be spoken. */
export interface Spoken {
  /** The engine's own name of a voice; null: its usual one for the language. */
  voice: string | null;
  /** A language tag such as `en-US` or `zh-CN`; null: the engine's usual one. */
  language: string | null;
  /** 1 is the voice's own speed. */
  speed: number;
}

/** What makes sound of text. */
export interface Speech {
  readonly name: string;
  /** Signed 16-bit PCM, 8 000 Hz, mono. Rejects with a sentence that a merchant may read. */
  speak(text: string, how: Spoken): Promise<Buffer>;
}
