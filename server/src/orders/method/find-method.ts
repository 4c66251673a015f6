import type { PersonalCode } from "#collection/index.ts";
import type { PersonalMethod } from "#gateways/index.ts";
import { type Ctx, platformErrors } from "#platform/index.ts";

/** A personal method as the room orders uses it: its channel is one that collection knows. */
export type Personal = PersonalMethod & Pick<PersonalCode, "channel">;

type Known = Pick<Ctx, "methods">;

/** The personal methods, in the order in which buyers see them. */
export function listPersonal({ methods }: Known): Personal[] {
  return methods.all.filter((method) => method.kind === "personal_qr") as Personal[];
}

/** The personal method of a gateway's name. Throws parameter_invalid for any other name. */
export function findPersonal(ctx: Known, gateway: string): Personal {
  const personal = listPersonal(ctx);
  const method = personal.find(({ name }) => name === gateway);
  if (method !== undefined) return method;
  const allowed = personal.map(({ name }) => name);
  throw platformErrors.parameter_invalid({
    param: "gateway",
    reason: "not_in_list",
    values: { allowed },
    message: `gateway must be one of ${allowed.join(", ")}.`,
  });
}
