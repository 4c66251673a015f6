import ts from "typescript";
import { type Fault, isProduct, isTypeScript, type Rule, type SourceFile } from "../read/sources.ts";

/** The public codes and their statuses. A code is permanent: merchants' programs depend on it. */
export const publicCodes: Record<string, number> = {
  ...codes(
    400,
    "parameter_missing parameter_invalid parameter_unknown parameter_conflict invalid_json invalid_cursor unsupported_currency amount_out_of_range",
  ),
  ...codes(
    400,
    "idempotency_key_invalid card_number_refused url_not_allowed limit_reached domain_not_verified sender_not_allowed recipient_invalid",
  ),
  ...codes(400, "recipient_opted_out country_not_allowed attachment_invalid batch_too_large header_not_allowed"),
  ...codes(401, "authentication_required api_key_invalid api_key_expired api_key_revoked"),
  ...codes(
    403,
    "permission_denied session_required project_mismatch environment_mismatch merchant_not_verified ip_not_allowed fresh_session_required",
  ),
  ...codes(403, "origin_not_allowed sending_suspended"),
  ...codes(404, "resource_missing route_missing gateway_not_found payment_link_not_found"),
  ...codes(405, "method_not_allowed"),
  ...codes(408, "request_timeout"),
  ...codes(413, "body_too_large file_too_large"),
  ...codes(415, "unsupported_media_type"),
  ...codes(
    409,
    "order_already_paid order_state_conflict reference_exists gateway_not_configured collection_profile_missing review_exists session_active",
  ),
  ...codes(409, "verification_state_conflict"),
  ...codes(
    409,
    "asset_in_use no_free_amount refund_exceeds_received version_conflict email_state_conflict sms_state_conflict call_state_conflict no_route",
  ),
  ...codes(409, "idempotency_key_in_use number_taken shortfall_unconfirmed secret_roll_conflict endpoint_disabled"),
  ...codes(410, "payment_link_expired payment_link_revoked endpoint_removed"),
  ...codes(421, "host_not_allowed"),
  ...codes(422, "idempotency_key_reused qr_not_decodable qr_channel_mismatch qr_order_bound image_unreadable"),
  ...codes(422, "qr_payment_code qr_fixed_amount too_many_pixels"),
  ...codes(429, "rate_limited concurrency_limited quota_exceeded verification_limit"),
  ...codes(500, "internal_error"),
  ...codes(502, "gateway_error"),
  ...codes(503, "service_unavailable"),
  ...codes(504, "gateway_timeout"),
};

interface Declared {
  code: string;
  status: number;
  path: string;
  line: number;
}

/** Each error code is in one table of one room, with its promised status. */
export const errorsStandOnce: Rule = (files) => {
  const seen = new Map<string, Declared>();
  return files
    .filter((file) => isProduct(file.path) && isTypeScript(file.path))
    .flatMap(declaredIn)
    .flatMap((entry): Fault[] => {
      const { code, status, path, line } = entry;
      const before = seen.get(code);
      seen.set(code, before ?? entry);
      if (before !== undefined) return [{ path, line, message: `${code} already stands in ${before.path}: throw that one` }];
      const promised = publicCodes[code];
      if (promised === undefined)
        return [
          { path, line, message: `${code} is no public code: use one of them, or add it to server/checks/tidy/errors.ts on purpose` },
        ];
      return promised === status ? [] : [{ path, line, message: `${code} answers ${status}; ${promised} was promised` }];
    });
};

function declaredIn(file: SourceFile): Declared[] {
  if (!file.text.includes("defineErrors(")) return [];
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const found: Declared[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === "defineErrors") found.push(...entriesOf(node, source));
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

function entriesOf(call: ts.CallExpression, source: ts.SourceFile): Declared[] {
  const [table] = call.arguments;
  if (table === undefined || !ts.isObjectLiteralExpression(table)) return [];
  return table.properties.filter(ts.isPropertyAssignment).map((property) => ({
    code: property.name.getText().replaceAll('"', ""),
    status: Number(ts.isArrayLiteralExpression(property.initializer) ? property.initializer.elements[0]?.getText() : Number.NaN),
    path: source.fileName,
    line: source.getLineAndCharacterOfPosition(property.getStart()).line + 1,
  }));
}

function codes(status: number, names: string): Record<string, number> {
  return Object.fromEntries(names.split(" ").map((name) => [name, status]));
}
