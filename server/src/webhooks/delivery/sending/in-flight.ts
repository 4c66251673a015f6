/** Requests that one endpoint is sent at the same time, by all processes together. */
export const maxInFlight = 5;
