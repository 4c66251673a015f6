import { Button, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useHere } from "../../data/here.tsx";
import { useAct } from "../../data/queries.ts";
import { Ask } from "../../parts/ask.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { type Account, accountRoute, type Gateway } from "./account.ts";
import { EditAccount } from "./edit-account.tsx";
import { gatewayWords } from "./gateways.words.ts";
import { RotateCredentials } from "./rotate-credentials.tsx";

type Asking = "edit" | "rotate" | "remove" | null;

/** What can be done with an account. */
export function AccountActs({ account, gateway }: { account: Account; gateway: Gateway }) {
  const words = useWords(gatewayWords);
  const all = useWords(shared);
  const [asking, setAsking] = useState<Asking>(null);
  const { enabled, version, id } = account;
  const turn = useAct(`PATCH ${accountRoute}`, { says: enabled ? words.paused : words.resumed });
  const close = () => setAsking(null);
  return (
    <>
      <Button
        variant={enabled ? "default" : "filled"}
        loading={turn.isPending}
        onClick={() => turn.mutate({ path: { slug: gateway.slug, id }, version, body: { enabled: !enabled } })}
      >
        {enabled ? words.pause : words.resume}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} stroke={1.5} />}>
            {all.actions}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsking("edit")}>{words.edit}</Menu.Item>
          <Menu.Item onClick={() => setAsking("rotate")}>{words.rotate}</Menu.Item>
          <Menu.Item onClick={() => setAsking("remove")}>{words.remove}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asking === "edit" ? <EditAccount account={account} gateway={gateway} onClose={close} /> : null}
      {asking === "rotate" ? <RotateCredentials account={account} gateway={gateway} onClose={close} /> : null}
      <Remove account={account} open={asking === "remove"} onClose={close} />
    </>
  );
}

function Remove({ account, open, onClose }: { account: Account; open: boolean; onClose(): void }) {
  const words = useWords(gatewayWords);
  const here = useHere();
  const navigate = useNavigate();
  const act = useAct(`DELETE ${accountRoute}`, { says: words.removed, onRefused: () => true });
  const remove = async () => {
    await act.mutateAsync({ path: { slug: account.gateway, id: account.id }, version: account.version });
    queueMicrotask(() => void navigate({ to: here.to("/gateways") }));
  };
  return (
    <Ask title={words.remove} open={open} onClose={onClose} does={words.remove} danger onDo={remove}>
      <p>{words.removeText}</p>
    </Ask>
  );
}
