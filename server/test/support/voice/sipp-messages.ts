import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "./programs.ts";

const headers = "[last_Via:]\n[last_From:]\n[last_To:];tag=[pid]SIPpTag01[call_number]\n[last_Call-ID:]";

/** Responds to the previous request. */
export const answer = (first: string, cseq = "[last_CSeq:]", rest = "Content-Length: 0\n") =>
  send(`SIP/2.0 ${first}\n${headers}\n${cseq}\nContact: <sip:[local_ip]:[local_port]>\n${rest}`);

export const send = (message: string) => `<send><![CDATA[\n\n${message}\n]]></send>`;

export const recv = (method: string) => `<recv request="${method}" crlf="true"></recv>`;

/** What comes after a CANCEL must specify the INVITE again. */
export const recvInvite = `<recv request="INVITE"><action><ereg regexp=".*" search_in="hdr" header="CSeq:" assign_to="1"/></action></recv>`;
export const cseqOfInvite = "CSeq: [$1]";

/** A body that requests sound in PCMU at a port. */
export const described = (port: string | number = "[media_port]") =>
  `Content-Type: application/sdp\nContent-Length: [len]\n\nv=0\no=user1 53655765 2353687637 IN IP[local_ip_type] [local_ip]\ns=-\nc=IN IP[media_ip_type] [media_ip]\nt=0 0\nm=audio ${port} RTP/AVP 0\na=rtpmap:0 PCMU/8000\n`;

/** What sipp should do, as its arguments. */
export function scenarioArgs(name: string, steps: readonly string[]): string[] {
  const path = join(newFolder(), `${name}.xml`);
  const head = `<?xml version="1.0" encoding="ISO-8859-1" ?>\n<!DOCTYPE scenario SYSTEM "sipp.dtd">\n`;
  writeFileSync(path, `${head}<scenario name="${name}">\n${steps.join("\n")}\n</scenario>\n`);
  return ["-sf", path];
}
