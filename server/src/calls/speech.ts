/** How a text is spoken. */
export interface Spoken {
  /** The engine's own name of a voice; null: its default for the language. */
  voice: string | null;
  /** A language tag such as `en-US` or `zh-CN`; null: the engine's default. */
  language: string | null;
  /** 1 is the voice's normal speed. */
  speed: number;
}

/** A speech engine. */
export interface Speech {
  readonly name: string;
  /** How many texts it speaks at once; others wait. Absent: it has no limit of its own. */
  readonly atOnce?: number;
  /**
   * Signed 16-bit PCM, 8 000 Hz, mono. Rejects with a sentence that a merchant may read. `signal` fires when the sound isn't needed
   * anymore.
   */
  speak(text: string, how: Spoken, signal?: AbortSignal): Promise<Buffer>;
  /** The sound of a text that it has spoken before or is speaking now: that needs no turn. null if there is none. */
  known?(text: string, how: Spoken): Promise<Buffer> | null;
}
