import { type Ctx, firstLanguage, notice, type Tx } from "#platform/index.ts";

interface LinkMail {
  kind: string;
  /** With their language, if the caller has it. */
  user: { email: string };
  path: string;
  /** How long the link works. */
  minutes?: number;
}

/** Writes an email to a person, in their language, with a link to a page of the dashboard. */
export async function mailLink(tx: Tx, ctx: Ctx, { kind, user, path, ...more }: LinkMail): Promise<void> {
  const language = (user as { language?: string }).language ?? firstLanguage;
  await notice(tx, ctx, { kind, recipient: user.email, params: { language, url: `${ctx.publicUrl}${path}`, ...more } });
}
