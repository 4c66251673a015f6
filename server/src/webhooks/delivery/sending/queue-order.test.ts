import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { turns } from "#test/support/time/eventually.ts";
import { createEndpointQueues, type Posted } from "./endpoint-queues.ts";
import { maxInFlight } from "./in-flight.ts";

const { ctx } = await testApp();

/** Queues whose requests end when the test says so. */
function openQueues() {
  const sent: string[] = [];
  const open: (() => void)[] = [];
  const released: string[] = [];
  const queues = createEndpointQueues({
    send(_ctx, { event_id }) {
      sent.push(event_id);
      return new Promise((resolve) => open.push(() => resolve(true)));
    },
    release: (posted) => released.push(...posted.map(({ event_id }) => event_id)),
    wake: () => {},
  });
  const answerOne = async () => {
    open.shift()?.();
    await turns();
  };
  return { queues, sent, released, answerOne };
}

function posted(event_id: string, more: Partial<Posted> = {}): Posted {
  const key = { project_id: "prj_1", livemode: false, endpoint_id: "we_1", event_id, attempt_id: `wat_${event_id}` };
  const claim = { attempt: 1, step: 0, lease: "one 1", back_to: null, leaseUntil: new Date(ctx.now().getTime() + 30_000) };
  const request = { url: "https://127.0.0.1:1/", body: Buffer.from("{}"), secrets: { current: "", all: [] } };
  return { ...key, ...claim, ...request, version: 1, is_news: false, alone: false, ...more };
}

const run = (count: number, more: Partial<Posted> = {}, name = "evt") =>
  Array.from({ length: count }, (_, n) => posted(`${name}_${n + 1}`, more));

test("a delivery that is sent alone is the next one, however long the run is", async () => {
  const { queues, sent, answerOne } = openQueues();
  queues.add(ctx, run(60));
  queues.add(ctx, [posted("suspect", { alone: true })]);
  expect(sent).toHaveLength(maxInFlight);
  await answerOne();
  expect(sent.at(-1)).toBe("suspect");
});

test("what waits from before a change of its endpoint is released when the changed one is claimed", async () => {
  const { queues, sent, released, answerOne } = openQueues();
  queues.add(ctx, run(8));
  queues.add(ctx, run(3, { version: 2, url: "https://127.0.0.1:2/" }, "changed"));
  expect(released).toEqual(["evt_6", "evt_7", "evt_8"]);
  await answerOne();
  expect(sent.at(-1)).toBe("changed_1");
  expect(queues.waiting()).toMatchObject([{ endpoint_id: "we_1", version: 2 }]);
});
