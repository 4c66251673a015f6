import { expect, test } from "vitest";
import { type GuideReceiver, tryReceiver } from "#test/support/guides/guide-receivers.ts";

const receivers: GuideReceiver[] = [
  { heading: "Python", file: "hook.py", command: (file) => ["python3", file] },
  { heading: "PHP", file: "hook.php", command: (file, port) => ["php", "-S", `127.0.0.1:${port}`, file] },
  { heading: "Go", file: "hook.go", command: (file) => ["go", "run", file] },
];

test.each(receivers)("the guide's receiver in $heading accepts our requests and nothing else", async (receiver) => {
  expect(await tryReceiver(receiver)).toEqual([204, 400, 400, 400]);
});
