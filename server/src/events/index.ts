export { emit, emitAll, type NewEvent, retractEvents } from "./emit.ts";
export { type EventRow, listEventsOf } from "./sql.ts";
