import { expect, test } from "vitest";
import { bodiesAreNotCast } from "./bodies.ts";

const route = "server/src/http/messaging/sms/sms.ts";
const faults = (path: string, text: string) => bodiesAreNotCast([{ path, text }]).length;

test.each([
  ["passes a body under a type of its own", "createSms(request.body as SmsInput);"],
  ["reads one field of it", "const channel = (request.body as { channel?: string }).channel;"],
  ["casts what it makes from it", "const change = { ...request.body, id } as OrderChange;"],
  ["casts what a function returns for it", "const email = takeContents(request.body, request.body) as EmailInput;"],
  ["casts in two steps", "const given = body as unknown as Given;"],
  ["casts it if there is one", "const sent = (request.body ?? {}) as { gateway?: unknown };"],
])("a route that %s is refused", (_what, text) => {
  expect(faults(route, text)).toBe(1);
});

test.each([
  ["a body of its schema's type", route, "createSms(request.body);"],
  ["a cast of something else", route, "const { token } = request.params as { token: string };"],
  ["a field named body", route, "const call = { body: text } as Call;"],
  ["a function that gets a body", route, "const parse = ((body) => read(body)) as Parse;"],
  ["a batch, which is validated item by item", "server/src/http/messaging/read-batch.ts", "const given = body as Given;"],
  ["a test", "server/src/http/messaging/sms/sms.test.ts", "const { id } = answer.body as { id: string };"],
  ["a provider's response", "server/src/providers/sms/http/send.ts", "const answer = response.body as Answer;"],
])("%s is allowed", (_what, path, text) => {
  expect(faults(path, text)).toBe(0);
});
