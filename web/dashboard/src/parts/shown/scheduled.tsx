import { Status } from "./status.tsx";
import { When } from "./when.tsx";

/** A message's or call's status in a list. Next to "Scheduled" stands the time at which it will be sent. */
export function ScheduledStatus({ status, scheduledAt }: { status: string; scheduledAt: string | null }) {
  if (status !== "scheduled" || scheduledAt === null) return <Status status={status} />;
  return (
    <span className="line">
      <Status status={status} />
      <span className="soft">
        <When at={scheduledAt} />
      </span>
    </span>
  );
}
