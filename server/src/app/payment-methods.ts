import { personalMethods } from "#collection/index.ts";
import { listMethods } from "#gateways/index.ts";

/** The ways to pay, in the order in which buyers see them. A gateway adds its method here, and appears everywhere. */
export const paymentMethods = listMethods([...personalMethods]);
