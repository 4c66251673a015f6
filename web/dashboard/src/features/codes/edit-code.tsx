import { Checkbox, NumberInput, Radio, Switch } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../data/client.ts";
import { useNotify } from "../../data/errors.tsx";
import { useClosing } from "../../data/forms/use-closing.ts";
import { useHere } from "../../data/here.tsx";
import { refresh } from "../../data/queries.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { Field } from "../../parts/fields/field.tsx";
import { useChannelCurrency, useGatewayName } from "../../parts/filters/gateways.ts";
import { amountText, parseAmount } from "../../parts/shown/money.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { AccountField, useAccount } from "./account.tsx";
import { usualOffsetMinor } from "./amounts.tsx";
import { codeWords } from "./codes.words.ts";
import { type IgnoreRule, IgnoreRules } from "./ignore-rules.tsx";
import { type Channel, hasCode, ownCodeOf, type Profile, unshownFields } from "./profile.ts";
import { type Given, KindNote, UploadCode } from "./upload-code.tsx";

type Mode = Profile["matching"]["mode"];

const modes: Mode[] = ["exact", "remark", "unique_amount"];
const [fewest, most] = [5, 120];
const maxOffsetMinor = 999;

/** The uploaded image, the code read from it, and how payments are matched. */
export function EditCode({ channel, profile, onClose }: { channel: Channel; profile: Profile | undefined; onClose(): void }) {
  const words = useWords(codeWords);
  const all = useWords(shared);
  const here = useHere();
  const nameOf = useGatewayName();
  const currency = useChannelCurrency(channel);
  const replace = useReplace(channel, profile);
  const closing = useClosing();
  const code = useGivenCode();
  const account = useAccount(profile, code.given);
  const [payee, setPayee] = useState(profile?.payee_name ?? "");
  const [mode, setMode] = useState<Mode>(profile?.matching.mode ?? "exact");
  const [offset, setOffset] = useState(amountText(profile?.matching.max_offset_minor ?? usualOffsetMinor, currency));
  const [minutes, setMinutes] = useState<number | string>(profile?.session_minutes ?? 30);
  const [enabled, setEnabled] = useState(profile?.enabled ?? true);
  const [rules, setRules] = useState<IgnoreRule[]>(profile?.ignore_rules ?? []);
  const save = () =>
    replace({
      ...unshownFields(profile),
      ...codeOf(code.given, profile),
      ...account.body,
      ...(code.fixedAmount ? { confirm_fixed_amount: true } : {}),
      payee_name: payee.trim() === "" ? null : payee.trim(),
      matching: { ...profile?.matching, mode, ...(mode === "unique_amount" ? { max_offset_minor: offsetOf(offset, currency) } : {}) },
      session_minutes: Number(minutes),
      ignore_rules: rules.filter((rule) => rule.text.trim() !== ""),
      enabled,
    });
  return (
    <Ask
      title={nameOf(channel)}
      open
      onClose={onClose}
      does={all.save}
      onDo={() => save().catch(code.refused).catch(account.refused).catch(closing)}
      disabled={!isComplete(code, profile) || !account.isComplete || (mode === "unique_amount" && offsetOf(offset, currency) === null)}
    >
      <UploadCode channel={channel} given={code.given} replaces={hasCode(profile)} onGiven={code.take} />
      <AmountQuestion code={code} />
      <AccountField account={account} channel={channel} profile={profile} />
      <Field label={words.payee} description={words.payeeHint} maxLength={60} value={payee} onWrite={setPayee} />
      <Matching mode={mode} onMode={setMode} offset={offset} currency={currency} onOffset={setOffset} />
      <NumberInput label={words.minutes} min={fewest} max={most} value={minutes} onChange={setMinutes} allowDecimal={false} w={160} />
      <Switch label={words.enabled} checked={enabled} onChange={(event) => setEnabled(event.currentTarget.checked)} />
      <IgnoreRules rules={rules} onChange={setRules} />
      {here.livemode ? <p className="soft">{words.liveNote}</p> : null}
    </Ask>
  );
}

/** Replaces the profile that this dialog was opened on: someone else's change in the meantime isn't overwritten. */
function useReplace(channel: Channel, profile: Profile | undefined) {
  const words = useWords(codeWords);
  const here = useHere();
  const queries = useQueryClient();
  const notify = useNotify();
  const [version] = useState(profile?.version);
  return async (body: Record<string, unknown>) => {
    const path = { projectId: here.project.id, channel };
    const seen = version === undefined ? {} : { version };
    await here.client.plain("PUT /api/v1/projects/{projectId}/collection-profiles/{channel}", { path, ...seen, body });
    void refresh(queries, here);
    notify.done(words.saved);
  };
}

/** True if there is a code, and its fixed amount, if it has one, is confirmed. */
function isComplete(code: GivenCode, profile: Profile | undefined): boolean {
  return (hasCode(profile) || code.given !== null) && (!code.asksAmount || code.fixedAmount);
}

type GivenCode = ReturnType<typeof useGivenCode>;

/** The new code, and whether it may request one amount from every buyer. */
function useGivenCode() {
  const [given, setGiven] = useState<Given | null>(null);
  const [asksAmount, setAsksAmount] = useState(false);
  const [fixedAmount, setFixedAmount] = useState(false);
  const take = (next: Given | null) => {
    setGiven(next);
    setFixedAmount(false);
    setAsksAmount(next !== null && "code" in next && next.code.kind === "fixed_amount");
  };
  const refused = (error: unknown) => {
    if (error instanceof ApiError && error.code === "qr_fixed_amount") setAsksAmount(true);
    throw error;
  };
  return { given, asksAmount, fixedAmount, take, setFixedAmount, refused };
}

function AmountQuestion({ code }: { code: GivenCode }) {
  const words = useWords(codeWords);
  if (!code.asksAmount) return null;
  return (
    <>
      {code.given !== null && "text" in code.given ? <KindNote kind="fixed_amount" /> : null}
      <Checkbox label={words.useFixed} checked={code.fixedAmount} onChange={(event) => code.setFixedAmount(event.currentTarget.checked)} />
    </>
  );
}

/** How much less may be requested; null if that isn't a valid amount. */
function offsetOf(text: string, currency: string): number | null {
  const minor = parseAmount(text, currency);
  return minor === null || minor > maxOffsetMinor ? null : minor;
}

function Matching(given: { mode: Mode; onMode(mode: Mode): void; offset: string; currency: string; onOffset(text: string): void }) {
  const words = useWords(codeWords);
  const { mode, offset, currency } = given;
  return (
    <>
      <Radio.Group label={words.matching} value={mode} onChange={(value) => given.onMode(value as Mode)}>
        <div className="form modes">
          {modes.map((one) => (
            <Radio key={one} value={one} label={words.modes[one]} description={words.modeText[one]} />
          ))}
        </div>
      </Radio.Group>
      {mode === "unique_amount" ? (
        <Field
          label={words.offset(currency)}
          description={words.offsetHint}
          inputMode="decimal"
          value={offset}
          error={offsetOf(offset, currency) === null ? words.badOffset : undefined}
          onWrite={given.onOffset}
        />
      ) : null}
    </>
  );
}

/** The given code, or the existing one. */
function codeOf(given: Given | null, profile: Profile | undefined) {
  if (given !== null) return "text" in given ? { qr_payload: given.text } : { qr_asset_id: given.asset.id };
  return ownCodeOf(profile);
}
