import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { Status } from "../../parts/shown/status.tsx";
import { useWords } from "../../words/language.tsx";
import { verificationWords } from "./verifications.words.ts";

type Send = Objects["Verification"]["sends"][number];

const routes = { sms: "GET /v1/sms/{id}", call: "GET /v1/calls/{id}", email: "GET /v1/emails/{id}" } as const;
const permissions = { sms: "readSms", call: "readCalls", email: "messages" } as const;
const unsent = ["canceled", "failed", "suppressed"];

/** The state of the message or call that carried a code; undefined while it loads, and for those who may not read it. */
function useStateOf({ channel, message_id: id }: Send): string | undefined {
  const here = useHere();
  return useApi(routes[channel], { path: { id }, enabled: here.may(permissions[channel]) }).data?.status;
}

/** Why a code was sent, unless its message or call was never sent. */
export function SendTitle({ send }: { send: Send }) {
  const words = useWords(verificationWords);
  return <>{unsent.includes(useStateOf(send) ?? "") ? words.notSent : words.causes[send.cause]}</>;
}

/** How a code was sent, and what became of its message or call. */
export function SendText({ send }: { send: Send }) {
  const words = useWords(verificationWords);
  const status = useStateOf(send);
  return (
    <span className="line">
      {words.channels[send.channel]} {status === undefined ? null : <Status status={status} />}
    </span>
  );
}
