import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { queueNames } from "#workers/index.ts";
import { commandList } from "./index.ts";

const { ctx } = await testApp();

test("the help of queues names every queue that it can release", () => {
  const named = /^Queues: (.*)\.$/m.exec(commandList["queues"]?.help ?? "")?.[1]?.split(", ");
  expect(named?.toSorted()).toEqual(queueNames(ctx).toSorted());
});
