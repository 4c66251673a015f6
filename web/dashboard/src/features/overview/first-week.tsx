import { Button } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useHere } from "../../data/here.tsx";
import { useApi } from "../../data/queries.ts";
import { linkTo } from "../../parts/filters/search.ts";
import { useWords } from "../../words/language.tsx";
import { overviewWords } from "./overview.words.ts";

/** Guides a new merchant; disappears once everything is done, or when dismissed. */
export function FirstWeek() {
  const words = useWords(overviewWords);
  const here = useHere();
  const [hidden, setHidden] = useLocalStorage({
    key: `tillpost.steps.${here.project.id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const codes = useApi("GET /api/v1/projects/{projectId}/collection-profiles").data;
  const paid = useApi("GET /api/v1/projects/{projectId}/orders", { query: { status: ["paid"], limit: 1 } }).data;
  const webhooks = useApi("GET /api/v1/projects/{projectId}/webhooks", { query: { limit: 1 }, enabled: here.may("webhooks") }).data;
  if (hidden || !here.may("settings") || codes === undefined || paid === undefined || webhooks === undefined) return null;
  const steps = [
    { key: "project", done: true, title: words.stepProject, text: here.project.name, path: "/settings" },
    {
      key: "code",
      done: codes.data.some(({ enabled, qr_payload, qr_asset_id }) => enabled && (qr_payload ?? qr_asset_id) !== null),
      title: words.stepCode,
      text: words.stepCodeText,
      path: "/codes",
    },
    { key: "order", done: paid.data.length > 0, title: words.stepOrder, text: words.stepOrderText, path: "/orders?new=1" },
    { key: "webhook", done: webhooks.data.length > 0, title: words.stepWebhook, text: words.stepWebhookText, path: "/webhooks" },
  ];
  if (steps.every(({ done }) => done)) return null;
  return (
    <section className="first-week">
      <div className="spread">
        <h2>{words.stepsTitle}</h2>
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setHidden(true)}>
          {words.hide}
        </Button>
      </div>
      <ol>
        {steps.map(({ key, done, title, text, path }, index) => (
          <li key={key} data-done={done}>
            <span className="step-mark">{done ? <IconCheck size={16} stroke={2} aria-label={words.done} /> : index + 1}</span>
            <Link {...linkTo(here.to(path))}>{title}</Link>
            <span className="soft">{text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
