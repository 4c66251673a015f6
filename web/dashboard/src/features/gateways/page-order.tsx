import { ActionIcon, Tooltip } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import type { Objects } from "../../data/client.ts";
import { useHere } from "../../data/here.tsx";
import { useAction, useApi } from "../../data/queries.ts";
import { useProviderName } from "../../parts/filters/gateways.ts";
import { Section } from "../../parts/pages/page.tsx";
import { useWords } from "../../words/language.tsx";
import { shared } from "../../words/shared.ts";
import type { Gateway } from "./parts/account.ts";
import { gatewayWords } from "./parts/gateways.words.ts";
import { orderWith } from "./parts/order-gateways.ts";

/** The project's payment methods in the order of the payment page, which owners and admins change. Not shown for a single one. */
export function PageOrder({ gateways }: { gateways: Gateway[] }) {
  const words = useWords(gatewayWords);
  const here = useHere();
  if (gateways.length < 2) return null;
  return (
    <Section title={words.pageOrder}>
      <p className="soft">{words.pageOrderText}</p>
      <ol className="page-order">
        {gateways.map((gateway) => (
          <li key={gateway.slug}>
            <MethodName gateway={gateway} />
            {here.may("settings") ? <MoveButtons gateways={gateways} slug={gateway.slug} /> : null}
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** A receiving code is marked, because a provider can have the same name. */
function useMethodName(): (gateway: Pick<Gateway, "slug" | "kind">) => string {
  const all = useWords(shared);
  const nameOf = useProviderName();
  return ({ slug, kind }) => (kind === "personal_qr" ? all.labeled(nameOf(slug), all.receivingCode) : nameOf(slug));
}

function MethodName({ gateway }: { gateway: Gateway }) {
  const words = useWords(gatewayWords);
  const nameOf = useMethodName();
  return (
    <span>
      {nameOf(gateway)}
      {gateway.enabled ? null : <span className="soft"> · {words.notOffered}</span>}
    </span>
  );
}

function MoveButtons({ gateways, slug }: { gateways: Gateway[]; slug: string }) {
  const words = useWords(gatewayWords);
  const all = useWords(shared);
  const nameOf = useMethodName();
  const project = useApi("GET /api/v1/projects/{projectId}").data;
  const action = useAction<Objects["Project"]>("PATCH /api/v1/projects/{projectId}");
  const gateway = gateways.find((one) => one.slug === slug);
  if (project === undefined || gateway === undefined) return null;
  // Settings are replaced as a whole; the others have their own forms.
  const save = (gateway_order: string[]) =>
    action.mutate({ body: { settings: { ...project.settings, gateway_order } }, version: project.version });
  return (
    <span className="order-buttons">
      {([-1, 1] as const).map((step) => {
        const order = orderWith(gateways, slug, step);
        const text = step < 0 ? words.moveUp : words.moveDown;
        return (
          <Tooltip key={step} label={text}>
            <ActionIcon
              variant="subtle"
              color="gray"
              className="quiet-icon"
              aria-label={all.about(text, nameOf(gateway))}
              disabled={action.isPending || order.length === 0}
              onClick={() => save(order)}
            >
              {step < 0 ? <IconArrowUp size={16} stroke={1.5} /> : <IconArrowDown size={16} stroke={1.5} />}
            </ActionIcon>
          </Tooltip>
        );
      })}
    </span>
  );
}
