import { useState } from "react";
import { useNotify } from "../../../data/errors.tsx";
import { useAction } from "../../../data/queries.ts";
import { type Account, accountRoute, type Gateway } from "./account.ts";
import type { Move } from "./order-accounts.ts";

/** Changes positions one after the other, each based on the displayed version, so that no one else's order is overwritten. */
export function useMoves(gateway: Pick<Gateway, "slug">, accounts: readonly Account[]) {
  const notify = useNotify();
  const [busy, setBusy] = useState(false);
  const action = useAction<Account>(`PATCH ${accountRoute}`, { onRefused: () => true });
  const apply = async (moves: readonly Move[]) => {
    setBusy(true);
    try {
      for (const { id, position } of moves) {
        const version = accounts.find((one) => one.id === id)?.version;
        await action.mutateAsync({ path: { slug: gateway.slug, id }, body: { position }, ...(version === undefined ? {} : { version }) });
      }
    } catch (error) {
      notify.refused(error);
    } finally {
      setBusy(false);
    }
  };
  return { busy, apply };
}
