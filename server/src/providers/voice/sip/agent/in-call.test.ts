import { describe, expect, test } from "vitest";
import { answeredCall, answersOf, usual } from "../testing/answered-call.ts";
import type { ReceivedMessage, Script, ScriptedPeer } from "../testing/scripted-peer.ts";
import type { SimulatedWorld } from "../testing/simulated-world.ts";

describe("a new offer during the call", () => {
  test("puts it on hold and takes it off again: what we send stops and continues", async () => {
    const { world, peer, reports } = await answeredCall();
    const during = async (seq: number, body: string) => {
      peer.request("INVITE", { seq, body });
      await world.pass(50);
      peer.request("ACK", { seq });
      peer.rtp.length = 0;
      await world.pass(1_000);
      return peer.rtp.length;
    };
    const held = `${peer.sdp}a=sendonly\r\n`;
    expect(await during(1, held)).toBe(0);
    expect(answersOf(peer, "INVITE").at(-1)?.body).toContain("a=recvonly");
    expect(await during(2, peer.sdp.replace("c=IN IP4 10.0.0.2", "c=IN IP4 0.0.0.0"))).toBe(0);
    expect(answersOf(peer, "INVITE").at(-1)?.body).toContain("a=inactive");
    // On hold, no audio is expected.
    await world.pass(60_000);
    expect(reports.ends).toEqual([]);
    expect(await during(3, peer.sdp)).toBeGreaterThan(45);
    expect(answersOf(peer, "INVITE").at(-1)?.body).toContain("a=sendrecv");
  });

  test("puts it on hold for any time, also without music, and once it's off hold the callee must be heard again", async () => {
    const { world, peer, reports } = await answeredCall();
    const during = async (seq: number, body: string, ms: number) => {
      peer.request("INVITE", { seq, body });
      await world.pass(50);
      peer.request("ACK", { seq });
      await world.pass(ms);
      return reports.ends.length;
    };
    expect(await during(1, `${peer.sdp}a=sendonly\r\n`, 60_000)).toBe(0);
    expect(await during(2, peer.sdp, 20_000)).toBe(0);
    await world.pass(11_000);
    expect(reports.ends).toMatchObject([{ status: "completed", hangup_by: "transport" }]);
  });

  test("may arrive without a description: ours is sent, and theirs is in the ACK", async () => {
    const { world, peer } = await answeredCall();
    const moved: Buffer[] = [];
    world.socket({ address: "10.0.0.2", port: 8_000 }, (bytes) => void moved.push(bytes));
    peer.request("INVITE", { seq: 1 });
    await world.pass(50);
    expect(answersOf(peer, "INVITE").at(-1)?.body).toContain("m=audio");
    peer.request("ACK", { seq: 1, body: peer.sdp.replace("7060", "8000") });
    await world.pass(500);
    expect(moved.length).toBeGreaterThan(10);
  });

  test("without a description ends a hold: we offer all that we support, both ways, and speak again", async () => {
    const { world, peer } = await answeredCall();
    const versionOf = (body: string) => Number(/^o=- \d+ (\d+) /m.exec(body)?.[1]);
    const lastBody = () => answersOf(peer, "INVITE").at(-1)?.body ?? "";
    const before = versionOf(peer.invite?.body ?? "");
    peer.request("INVITE", { seq: 1, body: `${peer.sdp.split("a=rtpmap")[0]?.replace(" 0 101", " 0")}a=sendonly\r\n` });
    await world.pass(50);
    peer.request("ACK", { seq: 1 });
    expect(lastBody()).toContain("a=recvonly");
    peer.request("INVITE", { seq: 2 });
    await world.pass(50);
    const offer = lastBody();
    expect(offer).toMatch(/m=audio \d+ RTP\/AVP 0 8 101\r\n/);
    expect(offer).toContain("a=rtpmap:101 telephone-event/8000");
    expect(versionOf(offer)).toBe(before + 2);
    // A peer answers what only we want to receive with what it only sends.
    peer.request("ACK", { seq: 2, body: `${peer.sdp}${offer.includes("a=sendrecv") ? "" : "a=sendonly\r\n"}` });
    peer.rtp.length = 0;
    await world.pass(1_000);
    expect(peer.rtp.length).toBeGreaterThan(45);
  });

  test.each([
    ["nothing that we can speak", "INVITE", { seq: 11, body: "v=0\r\nc=IN IP4 10.0.0.2\r\nm=audio 9 RTP/AVP 18\r\n" }, "488"],
    ["no description at all", "INVITE", { seq: 11, body: "hello" }, "488"],
    ["a number out of order", "INFO", { seq: 3 }, "500"],
    ["a method that is not known", "REFER", { seq: 11 }, "405"],
  ] as const)("with %s is refused, and the call continues", async (_what, method, request, status) => {
    const { world, peer, reports } = await answeredCall();
    peer.request("OPTIONS", { seq: 10 });
    await world.pass(10);
    peer.request(method, request);
    await world.pass(100);
    expect(peer.received.filter(({ first }) => first.startsWith("SIP/")).at(-1)?.first).toContain(status);
    expect(reports.ends).toEqual([]);
  });

  test("whose answer is never acknowledged ends the call", async () => {
    const { world, peer, reports } = await answeredCall();
    const speak = () => {
      peer.speak(Buffer.alloc(160, 0xff));
      world.after(1_000, speak);
    };
    speak();
    peer.request("INVITE", { seq: 1, body: peer.sdp });
    await world.pass(40_000);
    expect(answersOf(peer, "INVITE").length).toBeGreaterThan(5);
    expect(reports.ends).toMatchObject([{ status: "completed", hangup_by: "transport" }]);
  });
});

describe("session timers", () => {
  const timed =
    (header: string, refresh: (message: ReceivedMessage, at: ScriptedPeer) => void, allow = "Allow: INVITE, UPDATE"): Script =>
    (message, at) => {
      if (message.method === "INVITE" && !(message.lines("To")[0] ?? "").includes("tag=")) at.accept(message, [header, allow]);
      else if (message.method === "UPDATE" || message.method === "INVITE") refresh(message, at);
      else usual(message, at);
    };
  const alive = (world: SimulatedWorld, peer: ScriptedPeer) => {
    const speak = () => {
      peer.speak(Buffer.alloc(160, 0xff));
      world.after(5_000, speak);
    };
    speak();
  };

  test.each([
    ["UPDATE", "Allow: INVITE, UPDATE"],
    ["INVITE", "Allow: INVITE"],
  ])("are refreshed by us with %s at half of the time", async (method, allow) => {
    const { world, peer, reports } = await answeredCall(
      timed("Session-Expires: 200;refresher=uac", (message, at) => at.accept(message, ["Session-Expires: 200;refresher=uac"]), allow),
    );
    alive(world, peer);
    await world.pass(310_000);
    expect(peer.all(method).filter((message) => (message.lines("To")[0] ?? "").includes("tag="))).toHaveLength(3);
    expect(reports.ends).toEqual([]);
  });

  test("that the peer doesn't refresh end the call before they lapse", async () => {
    const { world, peer, reports } = await answeredCall(timed("Session-Expires: 90;refresher=uas", () => undefined));
    alive(world, peer);
    await world.pass(55_000);
    expect(reports.ends).toEqual([]);
    await world.pass(10_000);
    expect(reports.ends).toMatchObject([{ hangup_by: "transport", reason: expect.stringContaining("refresh") }]);
  });

  test("too small for the peer are requested again: once at the start, and during the call", async () => {
    const { world, peer, reports } = await answeredCall(
      (message, at) => {
        const wanted = Number(/\d+/.exec(message.lines("Session-Expires")[0] ?? "0")?.[0]);
        if (message.method === "INVITE" && wanted < 3_600)
          at.reply(message, "422 Session Interval Too Small", { headers: ["Min-SE: 3600"] });
        else if (message.method === "INVITE") at.accept(message, ["Session-Expires: 3600;refresher=uac", "Allow: UPDATE"]);
        else at.reply(message, "481 Call Does Not Exist");
      },
      { limitMs: 7_200_000 },
    );
    alive(world, peer);
    expect(peer.all("INVITE").map((message) => message.lines("Min-SE")[0])).toEqual(["90", "3600"]);
    await world.pass(1_801_000);
    expect(reports.ends).toMatchObject([{ hangup_by: "transport", reason: expect.stringContaining("481") }]);
  });
});

describe("strangers' requests", () => {
  test.each([
    ["OPTIONS sip:x@10.0.0.1 SIP/2.0", "OPTIONS", [], "200"],
    ["INVITE sip:x@10.0.0.1 SIP/2.0", "INVITE", [], "403"],
    ["INVITE nobodyKnowsThisScheme:x SIP/2.0", "INVITE", [], "416"],
    ["INVITE sip:x@10.0.0.1 SIP/2.0", "INVITE", ["Require: nothingSupportsThis"], "420"],
    ["SUBSCRIBE sip:x@10.0.0.1 SIP/2.0", "SUBSCRIBE", [], "405"],
    ["BYE sip:x@10.0.0.1 SIP/2.0", "BYE", ["To: <sip:x@y>;tag=guessed"], "481"],
    ["CANCEL sip:x@10.0.0.1 SIP/2.0", "CANCEL", [], "481"],
  ])("%s gets %s %s", async (first, method, headers, status) => {
    const { world, peer, reports } = await answeredCall();
    const before = peer.received.length;
    const to = headers.some((one) => one.startsWith("To:")) ? [] : ["To: <sip:x@y>"];
    const lines = [
      first,
      "Via: SIP/2.0/UDP 10.0.0.2:5060;branch=z9hG4bKstranger;rport",
      "From: <sip:s@s>;tag=1",
      ...to,
      "Call-ID: strange",
      `CSeq: 1 ${method}`,
      ...headers,
      "Content-Length: 0",
    ];
    peer.send(`${lines.join("\r\n")}\r\n\r\n`, { address: "10.0.0.1", port: 5_060 });
    await world.pass(10);
    expect(peer.received.slice(before).find((message) => message.first.startsWith("SIP/"))?.first).toContain(status);
    expect(reports.ends).toEqual([]);
  });

  test("take no place of a call's, however many arrive: what the callee requests is still heard", async () => {
    const { world, peer, reports } = await answeredCall();
    for (let count = 0; count < 2_001; count += 1)
      peer.send(stranger("OPTIONS", `z9hG4bKflood${count}`), { address: "10.0.0.1", port: 5_060 });
    await world.pass(10);
    peer.request("BYE", { seq: 1 });
    await world.pass(10);
    expect(reports.ends).toMatchObject([{ status: "completed", hangup_by: "callee" }]);
  });

  test("are answered once each time they arrive, so that no one gets more than was sent in their name", async () => {
    const { world, peer } = await answeredCall();
    const before = peer.received.length;
    peer.send(stranger("INVITE", "z9hG4bKforged"), { address: "10.0.0.1", port: 5_060 });
    await world.pass(40_000);
    expect(peer.received.slice(before).filter(({ first }) => first.startsWith("SIP/2.0 403"))).toHaveLength(1);
  });

  test("with a call's id and the wrong tag don't end it", async () => {
    const { world, peer, reports } = await answeredCall();
    const invite = peer.invite as ReceivedMessage;
    (peer as { invite: unknown }).invite = {
      ...invite,
      lines: (name: string) => invite.lines(name).map((line) => line.replace(/tag=\w+/, "tag=guessed")),
    };
    peer.request("BYE", { seq: 9 });
    await world.pass(100);
    expect([reports.ends.length, peer.received.at(-1)?.first.includes("481")]).toEqual([0, true]);
  });
});

function stranger(method: string, branch: string): string {
  const via = `Via: SIP/2.0/UDP 10.0.0.2:5060;branch=${branch};rport`;
  const lines = [
    `${method} sip:x@10.0.0.1 SIP/2.0`,
    via,
    "From: <sip:s@s>;tag=1",
    "To: <sip:x@y>",
    `Call-ID: ${branch}`,
    `CSeq: 1 ${method}`,
  ];
  return `${[...lines, "Content-Length: 0"].join("\r\n")}\r\n\r\n`;
}
