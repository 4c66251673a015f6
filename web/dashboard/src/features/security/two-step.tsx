import { Button, TextInput } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { plainClient } from "../../data/client.ts";
import { useNotify } from "../../data/errors.tsx";
import { useHere } from "../../data/here.tsx";
import { meQuery } from "../../data/session.ts";
import { Ask } from "../../parts/dialogs/ask.tsx";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { PasswordField } from "../../parts/fields/field.tsx";
import { saveFile } from "../../parts/files/save-file.ts";
import { Section } from "../../parts/pages/page.tsx";
import { Copyable } from "../../parts/shown/copy.tsx";
import { QrCode } from "../../parts/shown/qr-code.tsx";
import { Badge } from "../../parts/shown/status.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import { securityWords } from "./security.words.ts";

interface Setup {
  totp_uri: string;
  recovery_codes: string[];
}

/** Turned on in three steps: password, scan, first code; then shows the recovery codes, once. */
export function TwoStep() {
  const words = useWords(securityWords);
  const here = useHere();
  const [openDialog, setOpenDialog] = useState<"on" | "off" | "codes" | null>(null);
  const [setup, setSetup] = useState<Setup | null>(null);
  const [shown, setShown] = useState<string[] | null>(null);
  const on = here.me.two_factor_enabled;
  return (
    <Section title={words.second} actions={<Badge tone={on ? "paid" : "expired"}>{on ? words.on : words.off}</Badge>}>
      <p className="soft">{words.secondText}</p>
      <div className="line">
        <Button variant={on ? "default" : "filled"} onClick={() => setOpenDialog(on ? "off" : "on")}>
          {on ? words.turnOff : words.turnOn}
        </Button>
        {on ? (
          <Button variant="default" onClick={() => setOpenDialog("codes")}>
            {words.newCodes}
          </Button>
        ) : null}
      </div>
      {openDialog === null ? null : (
        <WithPassword what={openDialog} onClose={() => setOpenDialog(null)} onSetup={setSetup} onCodes={setShown} />
      )}
      {setup === null ? null : (
        <Scan
          setup={setup}
          onClose={() => setSetup(null)}
          onDone={() => {
            setShown(setup.recovery_codes);
            setSetup(null);
          }}
        />
      )}
      <RecoveryCodes codes={shown} onClose={() => setShown(null)} />
    </Section>
  );
}

interface WithPasswordProps {
  what: "on" | "off" | "codes";
  onClose(): void;
  onSetup(setup: Setup): void;
  onCodes(codes: string[]): void;
}

function WithPassword({ what, onClose, onSetup, onCodes }: WithPasswordProps) {
  const words = useWords(securityWords);
  const notify = useNotify();
  const queries = useQueryClient();
  const [password, setPassword] = useState("");
  const body = { password };
  const send = async () => {
    if (what === "on") onSetup(await plainClient.plain<Setup>("POST /api/auth/two-factor/enable", { body }));
    if (what === "codes") onCodes((await plainClient.plain<Setup>("POST /api/auth/two-factor/recovery-codes", { body })).recovery_codes);
    if (what === "off") {
      await plainClient.plain("POST /api/auth/two-factor/disable", { body });
      notify.done(words.disabled);
    }
    void queries.invalidateQueries({ queryKey: meQuery.queryKey });
  };
  const does = { on: words.turnOn, off: words.turnOff, codes: words.newCodes }[what];
  return (
    <Ask title={words.second} open onClose={onClose} does={does} danger={what === "off"} onDo={send} disabled={password === ""}>
      <PasswordField label={words.password} autoComplete="current-password" data-autofocus value={password} onWrite={setPassword} />
    </Ask>
  );
}

function Scan({ setup, onClose, onDone }: { setup: Setup; onClose(): void; onDone(): void }) {
  const words = useWords(securityWords);
  const notify = useNotify();
  const queries = useQueryClient();
  const [code, setCode] = useState("");
  const secret = new URL(setup.totp_uri).searchParams.get("secret") ?? "";
  const verify = async () => {
    await plainClient.plain("POST /api/auth/two-factor/verify-totp", { body: { code: code.trim() } });
    await Promise.all([
      queries.invalidateQueries({ queryKey: meQuery.queryKey }),
      queries.invalidateQueries({ predicate: ({ queryKey: [, , route] }) => route === "GET /api/profile/sessions" }),
    ]);
    notify.done(words.enabled);
    onDone();
  };
  return (
    <Ask title={words.second} open onClose={onClose} does={words.verify} onDo={verify} disabled={code.trim().length < 6}>
      <p>{words.scan}</p>
      <div className="qr-stand">
        <QrCode text={setup.totp_uri} label={words.scan} size={208} />
        <Button component="a" href={setup.totp_uri} variant="default" className="phone-only">
          {words.openApp}
        </Button>
      </div>
      <div>
        <p className="soft">{words.byHand}</p>
        <Copyable text={secret} block />
      </div>
      <TextInput
        label={words.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        data-autofocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </Ask>
  );
}

function RecoveryCodes({ codes, onClose }: { codes: string[] | null; onClose(): void }) {
  const words = useWords(securityWords);
  const all = useWords(shared);
  const clipboard = useClipboard({ timeout: 1_500 });
  const text = (codes ?? []).join("\n");
  return (
    <Dialog opened={codes !== null} onClose={onClose} title={words.recovery} withCloseButton={false} closeOnClickOutside={false}>
      <div className="ask">
        <p>{words.recoveryText}</p>
        <ul className="recovery-codes" aria-label={words.recovery}>
          {(codes ?? []).map((code) => (
            <li key={code}>
              <code translate="no">{code}</code>
            </li>
          ))}
        </ul>
        <div className="line">
          <Button variant="default" onClick={() => clipboard.copy(text)}>
            {clipboard.copied ? all.copied : all.copy}
          </Button>
          <Button
            variant="default"
            onClick={() => saveFile("tillpost-recovery-codes.txt", new Blob([`${text}\n`], { type: "text/plain" }))}
          >
            {words.download}
          </Button>
        </div>
        <div className="ask-actions">
          <Button onClick={onClose}>{words.codesSaved}</Button>
        </div>
      </div>
    </Dialog>
  );
}
