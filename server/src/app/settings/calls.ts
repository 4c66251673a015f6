import Type from "typebox";
import { readVoiceAccounts } from "#providers/telephony/twilio/voice/settings.ts";
import { listenFault, publicAddressFault, rtpPortsFault, trunksFault } from "#providers/voice/sip/settings/read-sip-settings.ts";
import { inGroup, type Setting, secret } from "./setting.ts";

const voice = inGroup("SMS and calls");
const text = Type.String({ minLength: 1 });

/** How LIVE calls are placed, and what speaks in them. */
export const callSettings = {
  SIP_TRUNKS: secret(
    voice(
      text,
      null,
      "SIP trunks for LIVE calls, separated by commas and tried in this order: `sip://user:password@host:5060?name=main`, or `sips://` for TLS. Parameters: `transport` (`udp`, `tcp`, `tls`), `register=1` to register with it, `channels` (concurrent calls, 30), `cps` (new calls per second, 1), `countries` (country codes such as `US` or calling codes such as `49`; every country if omitted), `plus=0` for numbers without `+`, `srtp=1` over TLS, `ping=0` if it doesn't answer OPTIONS.",
      trunksFault,
    ),
  ),
  VOICE_HTTP_URL: secret(
    voice(
      text,
      null,
      "Accounts with Twilio or carriers with a compatible HTTP API, for LIVE calls that no trunk of `SIP_TRUNKS` takes, separated by commas: `https://AccountSid:AuthToken@api.twilio.com?name=main&countries=86,1&weight=1`. A path replaces `/2010-04-01` if another carrier's API has a different one. `channels` is the number of concurrent calls (30), `countries` the calling codes, longer prefixes or ISO codes the account is for (all if omitted), `weight` its share if several fit. Also `amd=1` (the carrier detects whether a person or a machine answers), `delete_recordings=0` (recordings also stay at the carrier), `account` (the AccountSid, if the URL has an API key and its secret), and `signing_key` (the key that signs the carrier's requests, if it isn't the AuthToken). API processes need this setting too, because the carrier asks them what a call does.",
      accountsFault,
    ),
  ),
  SIP_LISTEN: voice(
    text,
    "udp://0.0.0.0:5060,tcp://0.0.0.0:5060",
    "Addresses SIP listens on if there are trunks. Add `tls://0.0.0.0:5061?cert=/path&key=/path` for trunks that connect back over TLS. Only one process per machine can use them.",
    listenFault,
  ),
  SIP_PUBLIC_ADDRESS: voice(
    text,
    null,
    "IP address at which trunks reach this machine, for SIP and audio. Defaults to the address that packets to the trunk are sent from.",
    publicAddressFault,
  ),
  RTP_PORTS: voice(
    text,
    "20000-20999",
    "UDP ports for call audio, two for each call. Your firewall must let them in from the trunks.",
    rtpPortsFault,
  ),
  SPEECH: secret(
    voice(
      text,
      "espeak-ng",
      "The speech engine for calls: the program `espeak-ng`, or the address of a speech server, `https://user:password@host/path`, which gets `text`, `voice`, `language` and `speed` as JSON and returns a WAV.",
      speechFault,
    ),
  ),
} satisfies Record<string, Setting>;

function accountsFault(value: string): string | null {
  try {
    readVoiceAccounts(value);
    return null;
  } catch (error) {
    return `can't be used: ${(error as Error).message}`;
  }
}

/** A speech engine: the program, or a server's address. */
function speechFault(value: string): string | null {
  const url = URL.parse(value);
  return value === "espeak-ng" || /^https?:$/.test(url?.protocol ?? "") ? null : "must be espeak-ng or start with http:// or https://";
}
