import Type, { type Static } from "typebox";
import type { ProjectRow } from "#projects/index.ts";
import { idOf, instant, oneOf } from "../fields/fields.ts";

export const projectSchema = Type.Object(
  {
    id: idOf("prj", "The project's ID."),
    object: oneOf(["project"], "Always `project`."),
    merchant_id: idOf("mer", "The merchant that owns the project."),
    name: Type.String({ description: "The project's name.", examples: ["Web shop"] }),
    slug: Type.String({ description: "A short name, unique within the merchant.", examples: ["web-shop"] }),
    default_currency: Type.String({ description: "The usual currency of this project's new orders.", examples: ["CNY"] }),
    settings: Type.Object(
      {},
      {
        additionalProperties: true,
        description: "The project's own settings, such as its branding, its time zone and the order of its gateways.",
      },
    ),
    version: Type.Integer({ description: "Increases by one with every change.", examples: [1] }),
    created_at: instant("When the project was created."),
    updated_at: instant("When it was last updated."),
  },
  { $id: "Project", description: "A business unit or site. All payment data belongs to a project." },
);

export type ProjectShape = Static<typeof projectSchema>;

export function showProject(row: ProjectRow): ProjectShape {
  return {
    id: row.id,
    object: "project",
    merchant_id: row.merchant_id,
    name: row.name,
    slug: row.slug,
    default_currency: row.default_currency,
    settings: row.settings as Record<string, unknown>,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
