import { AuditLogPage } from "../../parts/pages/audit-page.tsx";
import { useWords } from "../../words/language.tsx";
import { teamWords } from "./team.words.ts";

export default function AuditPage() {
  return <AuditLogPage path="/api/v1/merchant/audit-log" words={useWords(teamWords)} />;
}
