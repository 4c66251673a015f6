export { watchEventLoop } from "./watch-event-loop.ts";
