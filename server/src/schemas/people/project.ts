import Type, { type Static } from "typebox";
import type { ProjectRow } from "#projects/index.ts";
import { idOf, instant, oneOf } from "../fields/fields.ts";

export const projectSchema = Type.Object(
  {
    id: idOf("prj", "The project's id."),
    object: oneOf(["project"], "Always `project`."),
    merchant_id: idOf("mer", "The merchant that owns the project."),
    name: Type.String({ description: "The project's name.", examples: ["Web shop"] }),
    slug: Type.String({ description: "Short name, unique within the merchant.", examples: ["web-shop"] }),
    default_currency: Type.String({ description: "Currency that new orders of this project usually have.", examples: ["CNY"] }),
    settings: Type.Object({}, { additionalProperties: true, description: "What the project set for itself, such as its branding and time zone." }),
    version: Type.Integer({ description: "Grows by one with each change.", examples: [1] }),
    created_at: instant("When the project was opened."),
    updated_at: instant("When it was last changed."),
  },
  { $id: "Project", description: "A business unit or site. Everything about payments belongs to one." },
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
