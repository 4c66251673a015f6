import { Button, Switch, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { Objects } from "../../data/client.ts";
import { useEdit } from "../../data/forms/use-edit.ts";
import { useSave } from "../../data/forms/use-save.ts";
import { useHere } from "../../data/here.tsx";
import { meQuery } from "../../data/session.ts";
import { Facts } from "../../parts/pages/object-page.tsx";
import { Section } from "../../parts/pages/page.tsx";
import { Badge } from "../../parts/shown/status.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { tierWords } from "../../words/tiers.ts";
import { settingsWords } from "./settings.words.ts";

type Merchant = Objects["Merchant"];

const given = ({ display_name, second_step_required, shortfall_tolerance_bps }: Merchant) => ({
  display_name,
  second_step_required,
  tolerance: percentText(shortfall_tolerance_bps),
});

/** The business itself: its name, what it requires of its team, and its status with the operators. */
export function BusinessForm({ merchant }: { merchant: Merchant }) {
  const words = useWords(settingsWords);
  const all = useWords(shared);
  const here = useHere();
  const queries = useQueryClient();
  const edit = useEdit(merchant, given);
  const { tolerance, display_name: name, ...rest } = edit.given;
  const bps = parsePercent(tolerance);
  const { action, form, faults } = useSave<Merchant>("PATCH /api/v1/merchant", {
    success: words.saved,
    fields: ["display_name", "second_step_required", "shortfall_tolerance_bps"],
    edit,
    onDone: () => void queries.invalidateQueries({ queryKey: meQuery.queryKey }),
  });
  const locked = here.role !== "owner";
  return (
    <Section title={words.business}>
      <form
        ref={form}
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          action.mutate({ body: { ...rest, display_name: name.trim(), shortfall_tolerance_bps: bps }, version: edit.version });
        }}
      >
        <TextInput
          label={words.businessName}
          maxLength={100}
          readOnly={locked}
          value={name}
          error={faults["display_name"]}
          onChange={(event) => edit.set({ display_name: event.currentTarget.value })}
        />
        <Tolerance edit={edit} locked={locked} fault={bps === null ? words.badPercent : faults["shortfall_tolerance_bps"]} />
        <SecondStep edit={edit} locked={locked} isRefused={faults["second_step_required"] !== undefined} />
        {locked ? null : (
          <div>
            <Button type="submit" variant="default" loading={action.isPending} disabled={name.trim() === "" || bps === null}>
              {all.save}
            </Button>
          </div>
        )}
      </form>
      <VerificationStatus merchant={merchant} />
    </Section>
  );
}

const tone = { pending: "waiting", verified: "paid", rejected: "failed" } as const;

function VerificationStatus({ merchant }: { merchant: Merchant }) {
  const words = useWords(settingsWords);
  const tiers = useWords(tierWords);
  const { verification_status: status } = merchant;
  return (
    <div id="verification">
      <Facts
        facts={[
          { label: words.verification, value: <Badge tone={tone[status]}>{words.states[status]}</Badge> },
          { label: words.tier, value: tiers[merchant.messaging_tier] },
        ]}
      />
      {status === "verified" ? null : <p className="soft">{words.verificationText[status]}</p>}
    </div>
  );
}

interface FieldProps {
  edit: { given: ReturnType<typeof given>; set(next: Partial<ReturnType<typeof given>>): void };
  locked: boolean;
}

function Tolerance({ edit, locked, fault }: FieldProps & { fault: string | undefined }) {
  const words = useWords(settingsWords);
  return (
    <TextInput
      label={words.tolerance}
      description={words.toleranceHint}
      inputMode="decimal"
      rightSection="%"
      readOnly={locked}
      value={edit.given.tolerance}
      error={fault}
      onChange={(event) => edit.set({ tolerance: event.currentTarget.value })}
    />
  );
}

/** Hundredths of a percent as a person writes a percentage: 150 is "1.5". */
function percentText(bps: number): string {
  return String(bps / 100);
}

function parsePercent(text: string): number | null {
  const match = /^(\d{1,3})(?:[.](\d{1,2}))?$/.exec(text.trim());
  const bps = match === null ? Number.NaN : Number(`${match[1]}${(match[2] ?? "").padEnd(2, "0")}`);
  return bps <= 10_000 ? bps : null;
}

interface SecondStepProps extends FieldProps {
  isRefused: boolean;
}

function SecondStep({ edit, locked, isRefused }: SecondStepProps) {
  const words = useWords(settingsWords);
  return (
    <Switch
      label={words.secondStep}
      description={words.secondStepText}
      disabled={locked}
      error={isRefused ? words.secondStepFirst : undefined}
      checked={edit.given.second_step_required}
      onChange={(event) => edit.set({ second_step_required: event.currentTarget.checked })}
    />
  );
}
