import type { PaymentMethod } from "#gateways/index.ts";
import type { ProjectSettings } from "#projects/index.ts";

/**
 * Payment methods in the order in which a project's buyers see them: its own order of gateways first, the others after them in the given
 * order. Several methods of one gateway stay together.
 */
export function inBuyersOrder(
  methods: readonly PaymentMethod[],
  settings: Pick<ProjectSettings, "gateway_order"> | undefined,
): PaymentMethod[] {
  const order = settings?.gateway_order ?? [];
  const placeOf = ({ gateway }: PaymentMethod) => (order.includes(gateway) ? order.indexOf(gateway) : order.length);
  return methods.toSorted((left, right) => placeOf(left) - placeOf(right));
}
