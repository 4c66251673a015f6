export { hasCallRoute } from "./call-routes.ts";
export { trySpeech } from "./open-speech.ts";
export { openVoice } from "./open-voice.ts";
