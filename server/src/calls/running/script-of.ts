import { type Ctx, defineWords, firstLanguage, languageOf, open } from "#platform/index.ts";
import { contentPlace } from "../sealed.sql.ts";
import type { CallContent, CallRow } from "../shapes.ts";
import type { Action, SayAction } from "../verbs/actions.ts";
import { readActions } from "../verbs/read-actions.ts";
import type { NewScript } from "../verbs/script.ts";

const goodbye = defineWords<string>({
  en: "Sorry, something went wrong and we have to end this call. Goodbye.",
  zh: "很抱歉，系统暂时无法继续本次通话。再见。",
});

/** What a call does once it is answered. */
export function scriptOf(ctx: Pick<Ctx, "masterKeys">, call: Pick<CallRow, "id" | "said" | "sealed_said" | "language">): NewScript {
  const said = contentOf(ctx, call);
  const { fallback_text, answer_url, send_digits } = said;
  const first: Action[] = send_digits === null ? [] : [{ verb: "dtmf", digits: send_digits }];
  return {
    actions: [...first, ...actionsOf(said)],
    answerUrl: answer_url,
    farewell: say(fallback_text ?? goodbye[languageOf(call.language) ?? firstLanguage]),
  };
}

const none: CallContent = { text: null, audio_url: null, actions: null, answer_url: null, fallback_text: null, send_digits: null };

function contentOf(
  { masterKeys }: Pick<Ctx, "masterKeys">,
  { id, said, sealed_said }: Pick<CallRow, "id" | "said" | "sealed_said">,
): CallContent {
  return sealed_said === null
    ? (said ?? none)
    : (JSON.parse(open(masterKeys, contentPlace(id), sealed_said).toString("utf8")) as CallContent);
}

function actionsOf({ text, audio_url, actions }: CallContent): Action[] {
  if (text !== null) return [say(text)];
  if (audio_url !== null) return [{ verb: "play", url: audio_url, loop: 1 }];
  return actions === null ? [] : readActions(actions).actions;
}

function say(text: string): SayAction {
  return { verb: "say", text, voice: null, language: null, speed: null, loop: 1 };
}
