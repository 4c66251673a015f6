import { useState } from "react";
import type { Objects } from "../../data/client.ts";
import { useNotify } from "../../data/errors.tsx";
import { useHere } from "../../data/here.tsx";
import type { Listed } from "../../data/queries.ts";
import { csvHead, csvText, localTimes, zoneOfCurrency } from "../../parts/files/csv.ts";
import { saveFile } from "../../parts/files/save-file.ts";
import { amountText } from "../../parts/shown/money.tsx";
import { useWords } from "../../words/language.tsx";
import { orderWords } from "./orders.words.ts";

type Order = Objects["Order"];

const pageSize = 100;
const maxRows = 20_000;

/** Downloads the orders that match the filters, page by page, as one CSV file. */
export function useExport(query: Record<string, unknown>): { exporting: boolean; run(): void } {
  const here = useHere();
  const notify = useNotify();
  const words = useWords(orderWords);
  const [exporting, setExporting] = useState(false);
  const collect = async () => {
    const rows: Order[] = [];
    let cursor: string | null = null;
    do {
      const page: Listed<Order> = await here.client.plain("GET /api/v1/projects/{projectId}/orders", {
        path: { projectId: here.project.id },
        query: { ...query, limit: pageSize, ...(cursor === null ? {} : { starting_after: cursor }) },
      });
      rows.push(...page.data);
      cursor = page.has_more ? page.next_cursor : null;
    } while (cursor !== null && rows.length < maxRows);
    if (cursor !== null) notify.done(words.exportCapped(rows.length));
    saveFile(
      `orders-${here.project.slug}-${here.livemode ? "live" : "test"}.csv`,
      new Blob([csvOf(rows, here.project.settings.time_zone ?? zoneOfCurrency(here.project.default_currency))], {
        type: "text/csv;charset=utf-8",
      }),
    );
  };
  const run = () => {
    setExporting(true);
    collect()
      .catch(notify.refused)
      .finally(() => setExporting(false));
  };
  return { exporting, run };
}

const fields = [
  "id",
  "reference",
  "status",
  "amount_minor",
  "currency",
  "amount_received_minor",
  "amount_held_minor",
  "amount_refunded_minor",
  "created_at",
  "paid_at",
] as const;

/** Amounts that spreadsheets can add up, in the currency's own decimals, next to the minor units. */
const sums = {
  amount: "amount_minor",
  amount_received: "amount_received_minor",
  amount_held: "amount_held_minor",
  amount_refunded: "amount_refunded_minor",
} as const;

/** Texts that people wrote, which a spreadsheet might run or round. */
function csvOf(rows: Order[], zone: string): string {
  const local = localTimes(zone);
  const lines = rows.map((order) => {
    const decimals = Object.values(sums).map((field) => amountText(order[field], order.currency));
    const own = [...fields.map((field) => order[field]), order.customer.email, order.description].map(cellOf);
    return [...own, ...decimals, local(order.created_at), local(order.paid_at), zone].join(",");
  });
  const columns = [...fields, "customer_email", "description", ...Object.keys(sums), "created_at_local", "paid_at_local", "time_zone"];
  return `${csvHead(columns)}${lines.join("\r\n")}\r\n`;
}

const cellOf = (value: string | number | null) => (typeof value === "string" ? csvText(value) : String(value ?? ""));
