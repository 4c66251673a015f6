import Type from "typebox";
import { actionLimits, fastest, slowest, verbs } from "#calls/index.ts";
import { firstLanguage, languageInfo } from "#platform/index.ts";
import { oneOf, strict, textOrNull } from "../fields/fields.ts";
import { nullable, tagsIn } from "../fields/labels.ts";
import { metadataIn } from "../orders/order.ts";

const seconds = (description: string, options: Record<string, unknown>) =>
  Type.Optional(Type.Unsafe<number | null>({ type: ["number", "null"], description, ...options }));
const wholeNumber = (description: string, options: Record<string, unknown>) =>
  Type.Optional(Type.Unsafe<number | null>({ type: ["integer", "null"], description, ...options }));
const url = (description: string, example: string) => Type.Optional(textOrNull(description, { maxLength: actionLimits.urlLength, examples: [example] }));
const spoken = {
  voice: Type.Optional(
    textOrNull("The speech engine's own name of a voice; its usual one for the language when absent.", { maxLength: 64, examples: ["en-us"] }),
  ),
  language: Type.Optional(textOrNull("The language of what is said, as a tag.", { maxLength: 40, examples: [languageInfo(firstLanguage).locale] })),
  speed: Type.Optional(
    Type.Unsafe<number | null>({
      type: ["number", "null"],
      minimum: slowest,
      maximum: fastest,
      description: "How fast it is said; 1 is the voice's own speed.",
    }),
  ),
};

/** What verbs have in common is written once; which field belongs to which verb, the rules say. */
const verbFields = {
  verb: oneOf(verbs, "What is done."),
  text: Type.Optional(textOrNull("`say`: the text.", { examples: ["Your code is 4 2 4 2."] })),
  ...spoken,
  loop: wholeNumber("`say`, `play`: how often, up to 10.", { examples: [1] }),
  url: url("`play`: a public https address of a WAV file: PCM, μ-law or A-law, up to 5 minutes and 10 MB.", "https://shop.example.com/sounds/welcome.wav"),
  length: seconds("`pause`: seconds, up to 60.", { examples: [1] }),
  name: Type.Optional(textOrNull("`gather`: what the keys are called in the call's `gathered`; `digits` when absent.", { examples: ["pin"] })),
  num_digits: wholeNumber("`gather`: ends after so many keys.", { examples: [4] }),
  finish_on_key: Type.Optional(textOrNull("`gather`, `record`: the key that ends it; `#` when absent, empty for none.", { examples: ["#"] })),
  timeout: seconds("`gather`: seconds without a key after which it ends, 5 when absent.", { examples: [5] }),
  max_attempts: wholeNumber("`gather`: how often it asks while nothing is pressed, 1 when absent.", { examples: [3] }),
  action_url: url(
    "`gather`, `record`: a public https address that is told what was pressed or recorded, and may answer what to do instead of the rest.",
    "https://shop.example.com/hooks/pin",
  ),
  max_length: wholeNumber(`\`record\`: seconds, up to ${actionLimits.recordSeconds}; 60 when absent.`, { examples: [60] }),
  digits: Type.Optional(textOrNull("`dtmf`: keys to send, with `w` for half a second's pause and `W` for a second's.", { examples: ["1w2"] })),
};

const prompt = strict({ ...verbFields, verb: oneOf(["say", "play", "pause"], "What is heard.") }, { description: "What is heard while keys are waited for." });
const verb = strict(
  {
    ...verbFields,
    actions: Type.Optional(
      nullable(Type.Array(prompt, { maxItems: 1_000, description: "`gather`: what is heard meanwhile, `say`, `play` and `pause`. Stops at the first key." })),
    ),
  },
  { description: "One step of a call." },
);

/** A request for one call; what a schema cannot say is checked by the deed, all faults at once. */
export const callIn = strict(
  {
    from: Type.String({
      maxLength: 40,
      description: "The number that the callee sees, in international form. In LIVE one that this project may call from.",
      examples: ["+15005550006"],
    }),
    to: Type.String({ maxLength: 40, description: "The number to call, in international form (E.164).", examples: ["+15005552000"] }),
    text: Type.Optional(
      textOrNull(`What is said. One of \`text\`, \`audio_url\`, \`actions\` and \`answer_url\` is needed, and only one.`, {
        maxLength: actionLimits.characters,
        examples: ["Your order has been shipped."],
      }),
    ),
    audio_url: url("A public https address of a WAV file that is played.", "https://shop.example.com/sounds/welcome.wav"),
    actions: Type.Optional(
      nullable(Type.Array(verb, { maxItems: 1_000, description: `Up to ${actionLimits.verbs} verbs, carried out in order once the call is answered.` })),
    ),
    answer_url: url("A public https address that is asked for actions once the call is answered.", "https://shop.example.com/hooks/answer"),
    fallback_text: Type.Optional(
      textOrNull("What is said before the call ends where an address or a sound fails.", { maxLength: 1_000, examples: ["Please call us back."] }),
    ),
    ...spoken,
    timeout: wholeNumber("Seconds that it may ring, 30 when absent.", { minimum: 5, maximum: 120, examples: [30] }),
    time_limit: wholeNumber("Seconds that it may last once it is answered, 600 when absent; at most 3600 when it is recorded.", {
      minimum: 10,
      maximum: 14_400,
      examples: [600],
    }),
    record: Type.Optional(
      Type.Unsafe<boolean | "mono" | "dual" | null>({
        enum: [true, false, "mono", "dual", null],
        description: "Whether the call is recorded: `true` or `mono` in one channel, `dual` with a channel for each side. Ask for consent first.",
      }),
    ),
    send_digits: Type.Optional(textOrNull("Keys to send once it is answered, before anything else.", { maxLength: 100, examples: ["1w2"] })),
    tags: Type.Optional(nullable(tagsIn)),
    metadata: Type.Optional(nullable(metadataIn)),
    scheduled_at: Type.Optional(
      Type.Unsafe<string | null>({ type: ["string", "null"], format: "date-time", description: "When to call, at most 30 days ahead; at once when absent." }),
    ),
    expires_in: wholeNumber("Seconds after which a call that could not be placed is given up; an hour when absent.", {
      minimum: 60,
      maximum: 86_400,
      examples: [3600],
    }),
    status_callback: Type.Optional(
      textOrNull("A public https address that is told of this call's events, signed like a webhook.", {
        maxLength: 2_048,
        examples: ["https://shop.example.com/hooks/calls"],
      }),
    ),
  },
  { description: "A call to place." },
);
