/** The maximum number of concurrent requests to one endpoint, across all processes. */
export const mostInFlight = 5;
