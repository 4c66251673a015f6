import { Button, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import { useAction } from "../../data/queries.ts";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import type { Webhook } from "./webhook.ts";
import { Dialogs, type OpenDialog } from "./webhook-asks.tsx";
import { webhookWords } from "./webhooks.words.ts";

const one = "/api/v1/projects/{projectId}/webhooks/{id}";

/** What can be done with an endpoint. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const words = useWords(webhookWords);
  const all = useWords(shared);
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null);
  const path = { id: webhook.id };
  const enabled = webhook.status === "enabled";
  const test = useAction(`POST ${one}/test`, { success: words.tested });
  const turn = useAction(`PATCH ${one}`, { success: enabled ? words.disabled : words.enabled });
  const change = () => turn.mutate({ path, version: webhook.version, body: { status: enabled ? "disabled" : "enabled" } });
  return (
    <>
      {enabled ? (
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate({ path, body: {} })}>
          {words.test}
        </Button>
      ) : (
        <Button loading={turn.isPending} onClick={change}>
          {words.enable}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} stroke={1.5} />}>
            {all.actions}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpenDialog("edit")}>{words.edit}</Menu.Item>
          {enabled ? <Menu.Item onClick={() => setOpenDialog("replay")}>{words.replay}</Menu.Item> : null}
          <Menu.Item onClick={() => setOpenDialog(webhook.next_secret_last4 === null ? "roll" : "promote")}>
            {webhook.next_secret_last4 === null ? words.roll : words.promote}
          </Menu.Item>
          {enabled ? <Menu.Item onClick={change}>{words.disable}</Menu.Item> : null}
          <Menu.Item onClick={() => setOpenDialog("remove")}>{words.remove}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialogs webhook={webhook} openDialog={openDialog} onClose={() => setOpenDialog(null)} />
    </>
  );
}
