import { recordAudit } from "#audit/index.ts";
import { type Ctx, isUniqueViolation, platformErrors, readCurrency, refuseAddressesIn } from "#platform/index.ts";
import { insertProject, lockProjectCount, type ProjectRow } from "./sql.ts";

export interface NewProject {
  merchant_id: string;
  name: string;
  slug?: string;
  default_currency: string;
  /** How many projects the merchant can have; absent for the command line, which can always open another. */
  most?: number;
}

/** Opens a project with both of its environments. If the slug is absent, one is made from the name. Throws limit_reached. */
export async function createProject(ctx: Ctx, input: NewProject): Promise<ProjectRow> {
  const currency = readCurrency(input.default_currency);
  if (currency === null) throw platformErrors.unsupported_currency({ param: "default_currency", reason: "not_a_currency" });
  refuseAddressesIn({ name: input.name });
  const id = ctx.id("prj");
  const slug = input.slug ?? slugOf(input.name, id);
  try {
    return await ctx.transact(async (tx) => {
      if (input.most !== undefined && (await lockProjectCount(tx, input.merchant_id)) >= input.most) throw tooMany(input.most);
      const row = await insertProject(tx, {
        id,
        merchant_id: input.merchant_id,
        name: input.name,
        slug,
        default_currency: currency,
        settings: {},
        created_at: ctx.now(),
      });
      await recordAudit(tx, {
        ctx,
        tenant: null,
        merchant_id: input.merchant_id,
        action: "project.created",
        object_type: "project",
        object_id: id,
        detail: { name: input.name },
      });
      return row;
    });
  } catch (error) {
    if (!isUniqueViolation(error, "projects_merchant_id_slug_key")) throw error;
    throw platformErrors.parameter_invalid({
      param: "slug",
      reason: "slug_taken",
      message: "Another project of this merchant already has this slug.",
      cause: error,
    });
  }
}

const tooMany = (most: number) =>
  platformErrors.limit_reached({
    message: `This merchant can open up to ${most} projects. The operator of this server can open more for it.`,
  });

function slugOf(name: string, id: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 40);
  return plain === "" ? id.slice(-12) : plain;
}
