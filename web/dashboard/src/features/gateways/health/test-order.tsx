import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { Objects } from "../../../data/client.ts";
import { useHere } from "../../../data/here.tsx";
import { useAction } from "../../../data/queries.ts";
import { moneyText } from "../../../parts/shown/money.tsx";
import { useLanguage, useWords } from "../../../words/language.tsx";
import { setupWords } from "./setup.words.ts";

/** In TEST, creates the smallest order that the account takes, to pay it as a buyer would. */
export function TestOrder({ setup, variant }: { setup: Objects["GatewaySetup"]; variant: "default" | "filled" }) {
  const words = useWords(setupWords);
  const here = useHere();
  const navigate = useNavigate();
  const { locale } = useLanguage();
  const action = useAction<Objects["Order"]>("POST /api/v1/projects/{projectId}/orders", {
    once: true,
    onDone: ({ id }) => void navigate({ to: here.to(`/orders/${id}`) }),
  });
  const payment = setup.test_payment;
  if (payment === null || !here.may("orders")) return null;
  const description = words.tryText(moneyText(locale, payment.amount_minor, payment.currency));
  return (
    <div>
      <Button variant={variant} loading={action.isPending} onClick={() => action.mutate({ body: { ...payment, description } })}>
        {words.tryIt}
      </Button>
    </div>
  );
}
