import { Button, Menu, Select } from "@mantine/core";
import { IconChevronDown, IconEyeCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useAction } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { useCodesFor } from "../../parts/filters/gateways.ts";
import { UnverifiedNote, useUnverified } from "../../parts/notes/unverified-note.tsx";
import { moneyText } from "../../parts/shown/money.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { MarkPaid } from "./mark-paid.tsx";
import { moneyBackWords } from "./money-back/money-back.words.ts";
import { providerOf, RecordRefund, refundableOf } from "./money-back/record-refund.tsx";
import { isReversible, ReversePayment } from "./money-back/reverse-payment.tsx";
import { orderWords } from "./orders.words.ts";

type Order = Objects["Order"];
type OpenDialog = "resend" | "revoke" | "cancel" | "paid" | "refund" | "reverse" | null;

interface Action {
  key: Exclude<OpenDialog, null>;
  label: string;
}

/** Hours for which a payment link can stay open. */
export const lives = [1, 24, 72, 168];

const order = "/api/v1/projects/{projectId}/orders/{id}";

/** What can be done with an order in its current state. */
export function OrderActions({ order: given }: { order: Order }) {
  const words = useWords(orderWords);
  const here = useHere();
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const codes = useCodesFor(given.currency);
  const back = useWords(moneyBackWords);
  if (!here.may("orders") && !here.may("review") && !here.may("refunds")) return null;
  const open = given.status === "unpaid";
  const revivable = given.status === "expired";
  const ended = given.status === "paid" || given.status === "canceled";
  const mayOrder = here.may("orders");
  const actions: Action[] = [
    ...(mayOrder && open ? [{ key: "resend" as const, label: words.resend }] : []),
    ...(mayOrder && revivable ? [{ key: "resend" as const, label: words.revive }] : []),
    ...(here.may("review") && codes.length > 0 && isMarkable(given) ? [{ key: "paid" as const, label: words.markPaid }] : []),
    ...(here.may("refunds") && refundableOf(given) > 0
      ? [{ key: "refund" as const, label: providerOf(given) === null ? back.refund : back.give }]
      : []),
    ...(here.may("review") && isReversible(given) ? [{ key: "reverse" as const, label: back.reverse }] : []),
    ...(mayOrder && given.payment_link?.status === "active" ? [{ key: "revoke" as const, label: words.revoke }] : []),
    ...(mayOrder && open ? [{ key: "cancel" as const, label: words.cancelOrder }] : []),
  ];
  return (
    <>
      {given.status === "pending_verify" && here.may("review") ? (
        <Button component={Link} to={`${here.to("/review")}?order=${given.id}`} leftSection={<IconEyeCheck size={16} stroke={1.5} />}>
          {words.review}
        </Button>
      ) : null}
      {here.livemode || ended || !mayOrder ? null : <Simulate id={given.id} />}
      {actions.length === 0 ? null : <ActionMenu actions={actions} onChoose={setOpenDialog} />}
      <Dialogs order={given} openDialog={openDialog} onClose={() => setOpenDialog(null)} />
      {openDialog === "paid" ? <MarkPaid order={given} onClose={() => setOpenDialog(null)} /> : null}
    </>
  );
}

function ActionMenu({ actions, onChoose }: { actions: readonly Action[]; onChoose(key: Action["key"]): void }) {
  const all = useWords(shared);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown size={16} stroke={1.5} />}>
          {all.actions}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ key, label }) => (
          <Menu.Item key={key} onClick={() => onChoose(key)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** A buyer's report is decided in review. An order whose payment was reversed can be paid again. */
function isMarkable({ status, flags }: Order): boolean {
  return status === "unpaid" || status === "expired" || status === "failed" || (status === "paid" && flags.includes("payment_reversed"));
}

function Dialogs({ order: given, openDialog, onClose }: { order: Order; openDialog: OpenDialog; onClose(): void }) {
  const { id, status } = given;
  const words = useWords(orderWords);
  const shown = { onRefused: () => true };
  const issue = useAction(`POST ${order}/payment-link`, { ...shown, success: words.linkMade });
  const revoke = useAction(`DELETE ${order}/payment-link`, shown);
  const path = { id };
  const [hours, setHours] = useState("24");
  const isUnverified = useUnverified() !== null;
  const revives = status === "expired";
  const body = revives ? { expires_in: Number(hours) * 3_600 } : {};
  return (
    <>
      <Ask
        title={revives ? words.revive : words.resend}
        open={openDialog === "resend"}
        onClose={onClose}
        does={revives ? words.revive : words.resend}
        onDo={() => issue.mutateAsync({ path, body })}
        disabled={isUnverified}
      >
        <UnverifiedNote what="orders" />
        {isUnverified ? null : <p>{revives ? words.reviveText : words.resendText}</p>}
        {revives && !isUnverified ? (
          <Select
            label={words.expiresIn}
            data={lives.map((one) => ({ value: String(one), label: one < 24 ? words.hours(one) : words.days(one / 24) }))}
            value={hours}
            onChange={(value) => setHours(value ?? "24")}
            allowDeselect={false}
          />
        ) : null}
      </Ask>
      <Ask
        title={words.revoke}
        open={openDialog === "revoke"}
        onClose={onClose}
        does={words.revoke}
        danger
        onDo={() => revoke.mutateAsync({ path })}
      >
        <p>{words.revokeText}</p>
      </Ask>
      <CancelAsk order={given} open={openDialog === "cancel"} onClose={onClose} />
      {openDialog === "refund" ? <RecordRefund order={given} onClose={onClose} /> : null}
      {openDialog === "reverse" ? <ReversePayment id={id} onClose={onClose} /> : null}
    </>
  );
}

/** Canceling refunds nothing, so what has arrived is shown first. */
function CancelAsk({ order: given, open, onClose }: { order: Order; open: boolean; onClose(): void }) {
  const words = useWords(orderWords);
  const { locale } = useLanguage();
  const cancel = useAction(`POST ${order}/cancel`, { onRefused: () => true });
  const { id, currency } = given;
  const arrived = given.amount_received_minor + given.amount_held_minor;
  return (
    <Ask
      title={words.cancelOrder}
      open={open}
      onClose={onClose}
      does={words.cancelOrder}
      keeps={words.keepOrder}
      danger
      onDo={() => cancel.mutateAsync({ path: { id }, body: {} })}
    >
      {arrived === 0 ? null : <p className="note">{words.cancelHolds(moneyText(locale, arrived, currency))}</p>}
      <p>{words.cancelText}</p>
    </Ask>
  );
}

const outcomes = ["paid", "pending_verify", "failed", "underpaid", "overpaid", "late", "duplicate_callback", "expire"] as const;

function Simulate({ id }: { id: string }) {
  const words = useWords(orderWords);
  const action = useAction(`POST ${order}/simulate-payment`);
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button variant="light" color="test" loading={action.isPending} rightSection={<IconChevronDown size={16} stroke={1.5} />}>
          {words.simulate}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{words.simulateText}</Menu.Label>
        {outcomes.map((outcome) => (
          <Menu.Item key={outcome} onClick={() => action.mutate({ path: { id }, body: { outcome } })}>
            {words.outcome[outcome]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
