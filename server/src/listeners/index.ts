export { type BounceHost, type BounceHostOptions, startBounceHost } from "./start-bounce-host.ts";
