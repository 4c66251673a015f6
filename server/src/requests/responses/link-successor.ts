import type { FastifyReply } from "fastify";

/** The path template that replaces a flat one, for a response without a project. */
export function linkSuccessor(reply: FastifyReply, template: string): void {
  reply.header("link", `<${template.replaceAll(/:(\w+)/g, "{$1}")}>; rel="successor-version"`);
}
