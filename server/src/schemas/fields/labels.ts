import Type, { type TSchema, type TUnsafe } from "typebox";
import { strict, text } from "./fields.ts";

/** Tags in a request. */
export const tagsIn = Type.Array(
  strict(
    { name: text("Up to 256 letters, digits, `_` and `-`.", ["campaign"]), value: text("The same.", ["welcome"]) },
    { description: "A name and a value to find messages by." },
  ),
  { maxItems: 1000, description: "Up to 50 names and values to find messages by." },
);

/** Tags in a response. */
export const tagsOut = Type.Array(
  Type.Object(
    { name: text("The name.", ["campaign"]), value: text("The value.", ["welcome"]) },
    { additionalProperties: false, description: "A tag." },
  ),
  {
    description: "Its tags.",
  },
);

/** The merchant's own keys and values in a response. */
export const metadataOut = Type.Record(Type.String(), Type.String(), {
  description: "Your own keys and values.",
  examples: [{ subscription_id: "sub_42", plan: "pro", billing_period: "2026-11" }],
});

/** The same schema, or null. */
export function nullable<S extends TSchema>(schema: S): TUnsafe<Type.Static<S> | null> {
  const { type } = schema as { type?: string };
  return Type.Unsafe<Type.Static<S> | null>({ ...(schema as object), type: [type as string, "null"] });
}
