import { describe, expect, test } from "vitest";
import { requirePrograms } from "#test/support/debian/debian-programs.ts";
import type { WithPhone } from "#test/support/voice/baresip-scenarios.ts";
import { runConfined } from "#test/support/voice/confined.ts";
import type { Loaded } from "#test/support/voice/load-scenario.ts";
import type { WithSipp } from "#test/support/voice/sipp-scenarios.ts";

requirePrograms("/usr/bin/sipp", "/usr/bin/baresip", "/usr/sbin/kamailio", "/usr/bin/espeak-ng");

describe("against sipp", () => {
  test.each([
    ["sipp answers", { answered: 1, digits: "12#", ends: [{ status: "completed", hangup_by: "caller", sip_code: 200 }] }, 0],
    ["sipp answers over TCP", { answered: 1, digits: "12#", ends: [{ status: "completed", hangup_by: "caller" }] }, 0],
    ["sipp is busy", { answered: 0, ends: [{ status: "busy", sip_code: 486 }] }, 0],
    ["sipp rings on", { rang: 1, answered: 0, ends: [{ status: "no_answer", sip_code: 487 }] }, 0],
    ["sipp rings and is canceled", { answered: 0, ends: [{ status: "canceled", hangup_by: "caller" }] }, 0],
    ["sipp answers as it is canceled", { answered: 0, ends: [{ status: "canceled", hangup_by: "caller" }] }, 0],
    ["sipp sends early media", { rang: 1, answered: 0, ends: [{ status: "no_answer", sip_code: 480 }] }, 0],
    ["sipp loses a third", { answered: 1, ends: [{ status: "completed" }] }, null],
    ["nobody is there", { provider: "sip:sipp", answered: 0, ends: [{ status: "failed", error: { code: "trunk_unreachable" } }] }, null],
    [
      "the first trunk is down",
      { provider: "sip:sipp", answered: 1, trunkFaults: [["down", "it doesn't respond"]], ends: [{ status: "completed" }] },
      0,
    ],
  ])("%s", async (name, expected, exit) => {
    const { reports, sipp } = await runConfined<WithSipp>(name);
    expect(reports).toMatchObject(expected);
    expect(reports.ends).toHaveLength(1);
    if (exit !== null) expect(sipp).toBe(exit);
  });
});

describe("against baresip, also behind Kamailio", () => {
  test.each([
    ["baresip hears and presses", { digits: "12#", ends: [{ status: "completed", hangup_by: "caller" }] }],
    ["baresip wants SRTP", { ends: [{ status: "completed", hangup_by: "caller" }] }],
    ["baresip holds and hangs up", { ends: [{ status: "completed", hangup_by: "callee" }] }],
    ["kamailio asks for a password", { ends: [{ status: "completed", hangup_by: "caller" }] }],
    ["kamailio asks by SHA-256 and is registered with", { ends: [{ status: "completed", hangup_by: "caller" }] }],
  ])("%s, and speech arrives as it was synthesized", async (name, expected) => {
    const { reports, speech, tone } = await runConfined<WithPhone>(name);
    expect(reports).toMatchObject({ answered: 1, ...expected });
    expect(reports.ends).toHaveLength(1);
    expect(speech).toBeGreaterThan(0.95);
    expect(tone).toBeGreaterThan(0.95);
  });

  test("kamailio is given a wrong password", async () => {
    const { reports } = await runConfined<WithPhone>("kamailio is given a wrong password");
    expect(reports).toMatchObject({ answered: 0, ends: [{ status: "failed", sip_code: 407, error: { code: "trunk_auth" } }] });
  });
});

test("200 concurrent calls keep their pace both ways for at most three times the cost of their bare datagrams, while the serving thread is busy", async () => {
  const loaded = await runConfined<Loaded>("sipp carries 200 calls");
  const { completed, pace, dropped, core, bare, ours, sipps } = loaded;
  console.log(
    `Pace ${pace.toFixed(4)}, ${dropped} datagrams dropped, ${core.toFixed(2)} of a core (bare datagrams ${bare.toFixed(2)}); jitter ${ours.jitterMs.toFixed(2)} ms (p99 ${ours.p99Ms.toFixed(1)}), sipp's ${sipps.jitterMs.toFixed(2)} (p99 ${sipps.p99Ms.toFixed(1)}).`,
  );
  expect(completed).toBe(200);
  expect(pace).toBeGreaterThan(0.99);
  expect(core / bare).toBeLessThan(3);
  // Of one call among 200, beside the only one that sipp streams in the same run.
  expect(ours.jitterMs).toBeLessThan(sipps.jitterMs + 5);
});
