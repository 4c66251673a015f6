import Type from "typebox";
import { actionLimits, type CallInput, fastest, slowest, verbs } from "#calls/index.ts";
import { firstLanguage, languageInfo } from "#platform/index.ts";
import { type FieldsOf, oneOf, strict, textOrNull } from "../fields/fields.ts";
import { nullable, tagsIn } from "../fields/labels.ts";
import { metadataIn } from "../orders/order.ts";

const seconds = (description: string, options: Record<string, unknown>) =>
  Type.Optional(Type.Unsafe<number | null>({ type: ["number", "null"], description, ...options }));
const wholeNumber = (description: string, options: Record<string, unknown>) =>
  Type.Optional(Type.Unsafe<number | null>({ type: ["integer", "null"], description, ...options }));
const url = (description: string, example: string) =>
  Type.Optional(textOrNull(description, { maxLength: actionLimits.urlLength, examples: [example] }));
const spoken = {
  voice: Type.Optional(
    textOrNull("A voice, as the speech engine names it. Defaults to the engine's usual voice for the language.", {
      maxLength: 64,
      examples: ["en-us"],
    }),
  ),
  language: Type.Optional(
    textOrNull("The language to speak, as a language tag.", { maxLength: 40, examples: [languageInfo(firstLanguage).locale] }),
  ),
  speed: Type.Optional(
    Type.Unsafe<number | null>({
      type: ["number", "null"],
      minimum: slowest,
      maximum: fastest,
      description: "How fast to speak; 1 is the voice's normal speed.",
    }),
  ),
};

/** All verbs' fields, each written once; the rules say which field belongs to which verb. */
const verbFields = {
  verb: oneOf(verbs, "What to do."),
  text: Type.Optional(textOrNull("`say`: the text to speak.", { examples: ["Your code is 4 2 4 2."] })),
  ...spoken,
  loop: wholeNumber("`say`, `play`: how many times to repeat it, up to 10.", { examples: [1] }),
  url: url(
    "`play`: the public https address of a WAV file: PCM, μ-law or A-law, up to 5 minutes and 10 MB.",
    "https://shop.example.com/sounds/welcome.wav",
  ),
  length: seconds("`pause`: how many seconds to wait, up to 60.", { examples: [1] }),
  name: Type.Optional(textOrNull("`gather`: the name of the keys in the call's `gathered`. Defaults to `digits`.", { examples: ["pin"] })),
  num_digits: wholeNumber("`gather`: how many keys to collect.", { examples: [4] }),
  finish_on_key: Type.Optional(
    textOrNull("`gather`, `record`: the key that ends it. Defaults to `#`; empty for none.", { examples: ["#"] }),
  ),
  timeout: seconds("`gather`: how many seconds to wait for a key. Defaults to 5.", { examples: [5] }),
  max_attempts: wholeNumber("`gather`: how many times to ask while no key is pressed. Defaults to 1.", { examples: [3] }),
  action_url: url(
    "`gather`, `record`: a public https address that receives the keys or the recording. Its response can replace the remaining actions.",
    "https://shop.example.com/hooks/pin",
  ),
  max_length: wholeNumber(`\`record\`: how many seconds to record, up to ${actionLimits.recordSeconds}. Defaults to 60.`, {
    examples: [60],
  }),
  digits: Type.Optional(textOrNull("`dtmf`: the keys to send. `w` pauses for half a second, `W` for a second.", { examples: ["1w2"] })),
};

const prompt = strict(
  { ...verbFields, verb: oneOf(["say", "play", "pause"], "What the callee hears.") },
  { description: "What the callee hears while keys are collected." },
);
const verb = strict(
  {
    ...verbFields,
    actions: Type.Optional(
      nullable(
        Type.Array(prompt, {
          maxItems: 1_000,
          description: "`gather`: the prompt, made of `say`, `play` and `pause`. It stops at the first key.",
        }),
      ),
    ),
  },
  { description: "One step of a call." },
);

/** A request for one call; the operation checks what a schema can't express, all faults at once. */
export const callIn = strict(
  {
    from: Type.String({
      maxLength: 40,
      description: "The caller ID, in international form. In LIVE, a number approved for this project.",
      examples: ["+15005550006"],
    }),
    to: Type.String({ maxLength: 40, description: "The number to call, in international form (E.164).", examples: ["+15005552000"] }),
    text: Type.Optional(
      textOrNull(`The text to speak. Send exactly one of \`text\`, \`audio_url\`, \`actions\` and \`answer_url\`.`, {
        maxLength: actionLimits.characters,
        examples: ["Your order has been shipped."],
      }),
    ),
    audio_url: url("The public https address of a WAV file to play.", "https://shop.example.com/sounds/welcome.wav"),
    actions: Type.Optional(
      nullable(
        Type.Array(verb, { maxItems: 1_000, description: `Up to ${actionLimits.verbs} verbs, run in order once the call is answered.` }),
      ),
    ),
    answer_url: url("A public https address that is asked for actions when the call is answered.", "https://shop.example.com/hooks/answer"),
    fallback_text: Type.Optional(
      textOrNull("What to say before hanging up if one of your addresses or audio files fails.", {
        maxLength: 1_000,
        examples: ["Please call us back."],
      }),
    ),
    ...spoken,
    timeout: wholeNumber("How many seconds to let it ring. Defaults to 30.", { minimum: 5, maximum: 120, examples: [30] }),
    time_limit: wholeNumber("The call's maximum length in seconds, from the answer. Defaults to 600; at most 3600 if it's recorded.", {
      minimum: 10,
      maximum: 14_400,
      examples: [600],
    }),
    record: Type.Optional(
      Type.Unsafe<boolean | "mono" | "dual" | null>({
        enum: [true, false, "mono", "dual", null],
        description:
          "Whether to record the call: `true` or `mono` for one channel, `dual` for one channel per side. Ask for consent first.",
      }),
    ),
    send_digits: Type.Optional(
      textOrNull("Keys to send as soon as the call is answered, before anything else.", { maxLength: 100, examples: ["1w2"] }),
    ),
    tags: Type.Optional(nullable(tagsIn)),
    metadata: Type.Optional(nullable(metadataIn)),
    scheduled_at: Type.Optional(
      Type.Unsafe<string | null>({
        type: ["string", "null"],
        format: "date-time",
        description: "When to call, up to 30 days ahead. Placed right away if omitted.",
      }),
    ),
    expires_in: wholeNumber("How many seconds to keep trying to place the call. Defaults to an hour.", {
      minimum: 60,
      maximum: 86_400,
      examples: [3600],
    }),
    status_callback: Type.Optional(
      textOrNull("A public https address that receives this call's events, signed like webhooks.", {
        maxLength: 2_048,
        examples: ["https://shop.example.com/hooks/calls"],
      }),
    ),
  } satisfies FieldsOf<CallInput>,
  { description: "A call to place." },
);
