export { apiVersion, emit, emitAll, emitTest, type NewEvent, retractEvents } from "./emit.ts";
export { numberEvents } from "./number-events.ts";
export { findLastNumber, lockNumbering, type NumberedEvent } from "./numbering.sql.ts";
export { redactEvents } from "./redact-events.ts";
export { type EventRow, findEventOf, listEventRows, listEventsNamed } from "./sql.ts";
