import { Button, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useHere } from "../../../data/here.tsx";
import { useAction } from "../../../data/queries.ts";
import { Ask } from "../../../parts/dialogs/ask.tsx";
import { useProviderName } from "../../../parts/filters/gateways.ts";
import { useWords } from "../../../words/language.tsx";
import { shared } from "../../../words/shared.ts";
import { type Account, accountRoute, type Gateway } from "../parts/account.ts";
import { gatewayWords } from "../parts/gateways.words.ts";
import { EditAccount } from "./edit-account.tsx";
import { RotateCredentials } from "./rotate-credentials.tsx";

type OpenDialog = "edit" | "rotate" | "remove" | null;

interface ActionsProps {
  account: Account;
  gateway: Gateway;
}

/** What can be done with an account. */
export function AccountActions(given: ActionsProps) {
  return given.account.demo ? <TurnOffDemo {...given} /> : <OwnAccountActions {...given} />;
}

function OwnAccountActions({ account, gateway }: ActionsProps) {
  const words = useWords(gatewayWords);
  const all = useWords(shared);
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const { enabled, version, id } = account;
  const turn = useAction(`PATCH ${accountRoute}`, { success: enabled ? words.paused : words.resumed });
  const close = () => setOpenDialog(null);
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
          <Menu.Item onClick={() => setOpenDialog("edit")}>{words.edit}</Menu.Item>
          <Menu.Item onClick={() => setOpenDialog("rotate")}>{words.rotate}</Menu.Item>
          <Menu.Item onClick={() => setOpenDialog("remove")}>{words.remove}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {openDialog === "edit" ? <EditAccount account={account} gateway={gateway} onClose={close} /> : null}
      {openDialog === "rotate" ? <RotateCredentials account={account} gateway={gateway} onClose={close} /> : null}
      <Remove account={account} open={openDialog === "remove"} onClose={close} />
    </>
  );
}

function Remove({ account, open, onClose }: { account: Account; open: boolean; onClose(): void }) {
  const words = useWords(gatewayWords);
  const remove = useRemoval(account, words.removed);
  return (
    <Ask title={words.remove} open={open} onClose={onClose} does={words.remove} danger onDo={remove}>
      <p>{words.removeText}</p>
    </Ask>
  );
}

/** A demo account can only be removed. */
function TurnOffDemo({ account, gateway }: ActionsProps) {
  const words = useWords(gatewayWords);
  const name = useProviderName()(gateway.slug);
  const [open, setOpen] = useState(false);
  const remove = useRemoval(account, words.demoIsOff);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {words.demoOff}
      </Button>
      <Ask title={words.demoOff} open={open} onClose={() => setOpen(false)} does={words.demoOff} onDo={remove}>
        <p>{gateway.demo ? words.demoOffText(name) : words.demoOffUnused}</p>
      </Ask>
    </>
  );
}

/** Removes the account and returns to the list. */
function useRemoval({ gateway, id, version }: Account, success: string): () => Promise<void> {
  const here = useHere();
  const navigate = useNavigate();
  const action = useAction(`DELETE ${accountRoute}`, { success, onRefused: () => true });
  return async () => {
    await action.mutateAsync({ path: { slug: gateway, id }, version });
    queueMicrotask(() => void navigate({ to: here.to("/gateways") }));
  };
}
