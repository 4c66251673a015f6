import { Button, ColorInput, Switch } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useNotify } from "../../data/errors.tsx";
import { useEdit } from "../../data/forms/use-edit.ts";
import { useSave } from "../../data/forms/use-save.ts";
import { useHere } from "../../data/here.tsx";
import { DropFile } from "../../parts/fields/drop-file.tsx";
import { Field } from "../../parts/fields/field.tsx";
import { NoMailNote } from "../../parts/notes/no-mail-note.tsx";
import { ownAddress } from "../../parts/own-address.ts";
import { Section } from "../../parts/pages/page.tsx";
import { Money } from "../../parts/shown/money.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import "./settings.css";
import { settingsWords } from "./settings.words.ts";

interface Brand {
  display_name?: string;
  color?: string;
  logo_asset_id?: string;
  support_email?: string;
}

const brandFields = ["display_name", "support_email", "color"].map((name) => `settings.branding.${name}`);
const swatches = ["#006f45", "#1677ff", "#b3261e", "#7a4dd8", "#8a5a00", "#2b2b2b"];

const route = "PATCH /api/v1/projects/{projectId}";

/** The payment page with the merchant's own name and color, previewed while choosing. */
export function Branding({ project }: { project: Objects["Project"] }) {
  const words = useWords(settingsWords);
  const all = useWords(shared);
  const here = useHere();
  const edit = useEdit(project, ({ settings }) => brandOf(settings));
  const { brand, receipts } = edit.given;
  const setBrand = (next: Brand) => edit.set({ brand: next });
  const [logo, setLogo] = useState<string | null>(null);
  const { action, form, faults } = useSave<Objects["Project"]>(route, { success: words.saved, fields: brandFields, edit });
  const locked = !here.may("settings");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    action.mutate({ body: { settings: settingsOf(edit.given, edit.base.settings) }, version: edit.version });
  };
  const upload = useUpload((asset) => {
    setBrand({ ...brand, logo_asset_id: asset.id });
    setLogo(ownAddress(asset.url));
  });
  return (
    <Section title={words.page}>
      <p className="soft">{words.pageText}</p>
      <Preview name={brand.display_name || project.name} color={brand.color} logo={logo} currency={project.default_currency} />
      <form ref={form} className="form" onSubmit={submit} noValidate>
        <BrandFields brand={brand} faults={faults} locked={locked} onWrite={setBrand} />
        {locked ? null : (
          <div>
            <DropFile label={words.logo} accept="image/png,image/jpeg,image/webp" onFile={upload} />
            <p className="soft small">{words.logoHint}</p>
          </div>
        )}
        <Switch
          label={words.receipts}
          description={words.receiptsText}
          disabled={locked}
          checked={receipts}
          onChange={(event) => edit.set({ receipts: event.currentTarget.checked })}
        />
        {receipts ? <NoMailNote need="receipts" /> : null}
        {locked ? null : (
          <div>
            <Button type="submit" loading={action.isPending}>
              {all.save}
            </Button>
          </div>
        )}
      </form>
    </Section>
  );
}

interface BrandFieldsProps {
  brand: Brand;
  faults: Record<string, string>;
  locked: boolean;
  onWrite(brand: Brand): void;
}

function BrandFields({ brand, faults, locked, onWrite }: BrandFieldsProps) {
  const words = useWords(settingsWords);
  const write = (field: keyof Brand) => (value: string) => onWrite({ ...brand, [field]: value });
  return (
    <>
      <Field
        label={words.displayName}
        description={words.displayHint}
        maxLength={60}
        readOnly={locked}
        value={brand.display_name ?? ""}
        error={faults["settings.branding.display_name"]}
        onWrite={write("display_name")}
      />
      <Field
        label={words.support}
        description={words.supportHint}
        type="email"
        readOnly={locked}
        value={brand.support_email ?? ""}
        error={faults["settings.branding.support_email"]}
        onWrite={write("support_email")}
      />
      <ColorInput
        label={words.color}
        format="hex"
        swatches={swatches}
        disabled={locked}
        value={brand.color ?? ""}
        placeholder={swatches[0]}
        withPreview={(brand.color ?? "") !== ""}
        error={faults["settings.branding.color"]}
        onChange={write("color")}
        eyeDropperButtonProps={{ "aria-label": words.color }}
      />
    </>
  );
}

/** Settings are replaced as a whole; the others have their own form. */
function settingsOf({ brand, receipts }: { brand: Brand; receipts: boolean }, others: Record<string, unknown>): Record<string, unknown> {
  const branding = Object.fromEntries(Object.entries(brand).filter(([, value]) => value !== ""));
  return { ...others, branding, buyer_receipts: receipts };
}

/** The settings that have fields here. */
function brandOf(settings: Record<string, unknown>): { brand: Brand; receipts: boolean } {
  const { branding = {}, buyer_receipts = false } = settings as { branding?: Brand; buyer_receipts?: boolean };
  return { brand: branding, receipts: buyer_receipts };
}

function useUpload(onAsset: (asset: Objects["Asset"]) => void): (file: File) => void {
  const here = useHere();
  const notify = useNotify();
  return (file) => {
    const body = new FormData();
    body.append("purpose", "logo");
    body.append("file", file);
    void here.client
      .plain<Objects["Asset"]>("POST /api/v1/projects/{projectId}/assets/upload", { path: { projectId: here.project.id }, body })
      .then(onAsset, notify.refused);
  };
}

const samplePrice = 9900;

function Preview({ name, color, logo, currency }: { name: string; color: string | undefined; logo: string | null; currency: string }) {
  const words = useWords(settingsWords);
  return (
    <figure className="brand-preview" aria-label={words.preview}>
      <div className="line">
        {logo === null ? null : <img src={logo} alt="" width={32} height={32} />}
        <strong>{name}</strong>
      </div>
      <Money minor={samplePrice} currency={currency} size={40} />
      <span className="brand-button" style={color === undefined || color === "" ? undefined : { background: color }}>
        {words.pay}
      </span>
    </figure>
  );
}
