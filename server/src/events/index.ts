export { emit, emitAll, type NewEvent } from "./emit.ts";
export { type EventRow, listEventsOf } from "./sql.ts";
