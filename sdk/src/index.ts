export {
  type Answer,
  type Body,
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type Input,
  type PlainInput,
  type Query,
  type RouteName,
} from "./client.ts";
export { ApiError, type ErrorBody, type ErrorDetail } from "./errors.ts";
export { type FollowOptions, followEvents } from "./follow-events.ts";
export type { Objects, Routes } from "./generated/api.ts";
