import { Button } from "@mantine/core";
import { IconExternalLink, IconMail, IconQrcode, IconShare } from "@tabler/icons-react";
import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { Dialog } from "../../parts/dialogs/dialog.tsx";
import { Section } from "../../parts/pages/page.tsx";
import { Copyable } from "../../parts/shown/copy.tsx";
import { Money, moneyText } from "../../parts/shown/money.tsx";
import { QrCode } from "../../parts/shown/qr-code.tsx";
import { Status } from "../../parts/shown/status.tsx";
import { useLanguage, useWords } from "../../words/language.tsx";
import { orderWords } from "./orders.words.ts";

/** The payment link of an order: to copy, to open, or to show as a code across the counter. */
export function OrderLink({ order }: { order: Objects["Order"] }) {
  const words = useWords(orderWords);
  const [shown, setShown] = useState(false);
  const link = order.payment_link;
  if (link === null || link.status !== "active") return null;
  return (
    <Section title={words.link} actions={<Status status={link.status} />}>
      <Copyable text={link.url} block />
      <div className="line">
        <Button variant="default" leftSection={<IconQrcode size={16} stroke={1.5} />} onClick={() => setShown(true)}>
          {words.showQr}
        </Button>
        <Button
          variant="default"
          component="a"
          href={link.url}
          target="_blank"
          rel="noreferrer"
          leftSection={<IconExternalLink size={16} stroke={1.5} />}
        >
          {words.open}
        </Button>
        <SendLink order={order} url={link.url} />
      </div>
      <Dialog opened={shown} onClose={() => setShown(false)} title={words.qrTitle}>
        <div className="qr-stand">
          <Money minor={order.amount_minor} currency={order.currency} size={40} />
          <span className="soft">{order.reference}</span>
          <QrCode text={link.url} label={link.url} />
        </div>
      </Dialog>
    </Section>
  );
}

/** From the reader's own mail client, or through their phone's share menu: the buyer knows that sender. */
function SendLink({ order, url }: { order: Objects["Order"]; url: string }) {
  const words = useWords(orderWords);
  const { locale } = useLanguage();
  const subject = words.mailSubject(order.reference);
  const text = words.mailText(moneyText(locale, order.amount_minor, order.currency), order.description ?? order.reference);
  const mail = `mailto:${encodeURIComponent(order.customer.email ?? "")}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(`${text}\n${url}`)}`;
  // If the reader cancels, that isn't an error; a browser that can't share doesn't show the button.
  const share = () => void navigator.share({ title: subject, text, url }).catch(() => {});
  return (
    <>
      <Button variant="default" component="a" href={mail} leftSection={<IconMail size={16} stroke={1.5} />}>
        {words.sendMail}
      </Button>
      {"share" in navigator ? (
        <Button variant="default" onClick={share} leftSection={<IconShare size={16} stroke={1.5} />}>
          {words.share}
        </Button>
      ) : null}
    </>
  );
}
