export { type BounceHost, startBounceHost } from "./start-bounce-host.ts";
