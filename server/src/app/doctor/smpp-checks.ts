import { type BindTried, tryBind } from "#providers/sms/smpp/bind/try-bind.ts";
import { readBinds, type SmppBind } from "#providers/sms/smpp/settings/read-binds.ts";
import type { Settings } from "../config.ts";
import type { Finding } from "./checks.ts";

const check = "sms";
const timeoutMs = 5_000;

/** Checks whether each carrier accepts our bind. Returns nothing without binds. */
export function checkBinds(
  { SMPP_BINDS }: Pick<Settings, "SMPP_BINDS">,
  probe = (bind: SmppBind) => tryBind(bind, timeoutMs),
): Promise<Finding[]> {
  return Promise.all((SMPP_BINDS === null ? [] : readBinds(SMPP_BINDS)).map(async (bind) => findingOf(bind, await probe(bind))));
}

function findingOf({ name, host, port }: SmppBind, tried: BindTried): Finding {
  const where = `${name} (${host}, port ${port})`;
  if (tried.state === "bound") return { check, state: "fine", message: `the carrier of the bind ${where} accepts our connection` };
  if (tried.state === "already_bound")
    return { check, state: "fine", message: `the bind ${where} is already in use, as expected while Tillpost runs` };
  return {
    check,
    state: "fault",
    message: `the carrier of the bind ${where} doesn't accept our connection: ${tried.reason}`,
    fix: "Check its host, port, system_id and password in SMPP_BINDS, that this machine can reach it, and whether the carrier allows one more bind in addition to a running server's.",
  };
}
