/** The maximum number of concurrent requests to one endpoint, across all processes. */
export const maxInFlight = 5;
