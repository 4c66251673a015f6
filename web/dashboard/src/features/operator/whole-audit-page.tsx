import type { Objects } from "../../data/client.ts";
import { IdTail } from "../../parts/pages/audit.tsx";
import { AuditLogPage } from "../../parts/pages/audit-page.tsx";
import type { Column } from "../../parts/pages/list-page.tsx";
import { useWords } from "../../words/language.tsx";
import { operatorWords } from "./operator.words.ts";

export default function PlatformAuditPage() {
  const words = useWords(operatorWords);
  const merchant: Column<Objects["AuditEntry"]> = { label: words.merchant, show: (entry) => <Merchant id={entry.merchant_id} /> };
  return <AuditLogPage path="/api/admin/audit-log" words={words} between={[merchant]} />;
}

/** What belongs to no merchant is in the log of the installation itself. */
function Merchant({ id }: { id: string }) {
  return /^mer_0+$/.test(id) ? <span>Tillpost</span> : <IdTail id={id} />;
}
