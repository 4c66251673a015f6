import { malformedAnswer } from "../exchange.ts";
import type { CreatedPayment } from "../snapshots.ts";

/**
 * A payment whose buyer stays, or is redirected to a web page. Throws `malformed_answer` for any other address, such as a script, which no
 * buyer's browser must get.
 */
export function leadingToWeb(created: CreatedPayment): CreatedPayment {
  const { action } = created;
  const address = action.type === "redirect" ? action.url : action.type === "form" ? action.action : null;
  if (address !== null && !/^https?:$/.test(URL.parse(address)?.protocol ?? "")) throw malformedAnswer(true);
  return created;
}
