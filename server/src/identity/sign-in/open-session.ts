import { createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { updateByPasskey } from "../people/sql.ts";
import { currentUnit } from "./unit.ts";

/**
 * Opens a session for a person whose identity our own code has checked, such as the holder of a passkey. The path takes no input: the
 * running call says for whom.
 */
export const openSession = {
  id: "open-session",
  endpoints: {
    openSession: createAuthEndpoint("/open-session", { method: "POST" }, async (ctx) => {
      const { openFor } = currentUnit();
      const user = openFor === null ? null : await ctx.context.internalAdapter.findUserById(openFor);
      if (user === null || user === undefined) throw new Error("sign-in: nobody to open a session for");
      const session = await ctx.context.internalAdapter.createSession(user.id, false);
      await updateByPasskey(currentUnit().tx, session.id);
      await setSessionCookie(ctx, { session, user });
      return ctx.json({ user: { id: user.id } });
    }),
  },
};
