import { readMailbox } from "#email/index.ts";
import { holdsAddress } from "#platform/index.ts";
import type { Settings } from "../config.ts";
import type { Finding } from "./checks.ts";

const check = "mail";
const link = /:\/\/|\bwww\./i;
const longNumber = /\p{N}(?:[\s().-]*\p{N}){4,}/u;

/** System emails are refused like any others if their sender can't be parsed, or hides another address in its name. */
export function checkSender({ EMAIL_FROM }: Pick<Settings, "EMAIL_FROM">): Finding[] {
  const own = readMailbox(EMAIL_FROM);
  const fix = "Set EMAIL_FROM to a name and an address, such as `Corner Books <no-reply@corner.example>`.";
  if (own === null)
    return [
      { check, state: "fault", message: "EMAIL_FROM isn't an address that email can come from; Tillpost's system emails are refused", fix },
    ];
  const name = own.name ?? "";
  if (holdsAddress(name, own.address))
    return [
      {
        check,
        state: "fault",
        message: "the name in EMAIL_FROM contains another email address; Tillpost's system emails are refused",
        fix,
      },
    ];
  if (link.test(name) || longNumber.test(name))
    return [{ check, state: "note", message: "the name in EMAIL_FROM contains a link or a number, which mail apps treat as fraud", fix }];
  return [];
}
