import Type from "typebox";
import { readVoiceAccounts } from "#providers/telephony/twilio/voice/settings.ts";
import { listenFault, publicAddressFault, rtpPortsFault, trunksFault } from "#providers/voice/sip/settings/read-sip-settings.ts";
import { inGroup, type Setting, secret } from "./setting.ts";

const voice = inGroup("SMS and calls");
const text = Type.String({ minLength: 1 });

/** How LIVE calls leave, and what speaks in them. */
export const callSettings = {
  SIP_TRUNKS: secret(
    voice(
      text,
      null,
      "SIP trunks that LIVE calls leave by, the first that can take a call first, separated by commas: `sip://user:password@host:5060?name=main`, or `sips://` for TLS. Parameters: `transport` (`udp`, `tcp`, `tls`), `register=1` to register with it, `channels` (30 calls at once), `cps` (1 call begun a second), `countries` (country codes such as `US` or calling codes such as `49`; without it every country), `plus=0` for numbers without `+`, `srtp=1` over TLS, `ping=0` where it does not answer OPTIONS.",
      trunksFault,
    ),
  ),
  VOICE_HTTP_URL: secret(
    voice(
      text,
      null,
      "Accounts with carriers that speak Twilio's HTTP API, for LIVE calls that no trunk of `SIP_TRUNKS` takes, separated by commas: `https://AccountSid:AuthToken@api.twilio.com?name=main&countries=86,1&weight=1`. A path stands for `/2010-04-01`, where another carrier has the API elsewhere. `channels` is how many calls may be under way (30), `countries` the country codes, longer beginnings of numbers or ISO codes that the account is for (without it: all), `weight` its share where several fit. Also `amd=1` (the carrier finds out whether a person or a machine answers), `delete_recordings=0` (recordings stay at the carrier, too), `account` (the AccountSid, where an API key and its secret stand before the host), and `signing_key` (what the carrier's requests are signed with, where it isn't the AuthToken). Processes that serve need it as well: the carrier asks them what a call does.",
      accountsFault,
    ),
  ),
  SIP_LISTEN: voice(
    text,
    "udp://0.0.0.0:5060,tcp://0.0.0.0:5060",
    "Addresses that SIP listens on when there are trunks, with `tls://0.0.0.0:5061?cert=/path&key=/path` for trunks that connect back by TLS. One process of a machine can have them.",
    listenFault,
  ),
  SIP_PUBLIC_ADDRESS: voice(
    text,
    null,
    "IP address that trunks reach this machine by, for SIP and for sound. Without it: the address that packets to the trunk leave from.",
    publicAddressFault,
  ),
  RTP_PORTS: voice(text, "20000-20999", "UDP ports for the sound of calls, two for each. A firewall must let them in from the trunks.", rtpPortsFault),
  SPEECH: secret(
    voice(
      text,
      "espeak-ng",
      "What speaks texts in calls: the program `espeak-ng`, or the address of a speech server, `https://user:password@host/path`, which gets `text`, `voice`, `language` and `speed` as JSON and answers a WAV.",
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
  return value === "espeak-ng" || /^https?:$/.test(url?.protocol ?? "") ? null : "must be espeak-ng or begin with http:// or https://";
}
