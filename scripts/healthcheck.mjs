// Exits with 0 if a Tillpost on this machine responds on /healthz: a container's health check if there is no curl.
const ports = [process.env.PORT || "8080", process.env.WORKER_PORT].filter(Boolean);
const answers = await Promise.allSettled(
  ports.map((port) => fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(4_000) })),
);
process.exit(answers.some(({ value }) => value?.ok === true) ? 0 : 1);
