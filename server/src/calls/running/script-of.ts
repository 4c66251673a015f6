import { defineWords, firstLanguage, languageOf } from "#platform/index.ts";
import type { CallRow, Said } from "../shapes.ts";
import type { Action, SayAction } from "../verbs/actions.ts";
import { readActions } from "../verbs/read-actions.ts";
import type { NewScript } from "../verbs/script.ts";

const goodbye = defineWords<string>({
  en: "Sorry, this call cannot go on. Goodbye.",
  zh: "抱歉，本次通话无法继续。再见。",
});

/** What a call does once it is answered. */
export function scriptOf({ said, language }: Pick<CallRow, "said" | "language">): NewScript {
  const { fallback_text, answer_url, send_digits } = said ?? none;
  const first: Action[] = send_digits === null ? [] : [{ verb: "dtmf", digits: send_digits }];
  return {
    actions: [...first, ...actionsOf(said ?? none)],
    answerUrl: answer_url,
    farewell: say(fallback_text ?? goodbye[languageOf(language) ?? firstLanguage]),
  };
}

const none: Said = { text: null, audio_url: null, actions: null, answer_url: null, fallback_text: null, send_digits: null };

function actionsOf({ text, audio_url, actions }: Said): Action[] {
  if (text !== null) return [say(text)];
  if (audio_url !== null) return [{ verb: "play", url: audio_url, loop: 1 }];
  return actions === null ? [] : readActions(actions).actions;
}

function say(text: string): SayAction {
  return { verb: "say", text, voice: null, language: null, speed: null, loop: 1 };
}
