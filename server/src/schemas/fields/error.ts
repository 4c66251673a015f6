import type { AnySchema } from "ajv";

/** The body of every error response, as the OpenAPI document defines it. */
export const errorSchema: AnySchema = {
  $id: "Error",
  type: "object",
  description: "The shape of every response with status 400 or higher.",
  required: ["error"],
  properties: {
    name: {
      type: "string",
      description: "Only on `/v1`: the error's code again, for clients written for other services.",
      examples: ["parameter_missing"],
    },
    message: { type: "string", description: "The message again, likewise.", examples: ["to is required."] },
    statusCode: { type: "integer", description: "The status again, likewise.", examples: [400] },
    error: {
      type: "object",
      description: "What went wrong.",
      required: ["type", "code", "message", "doc_url", "request_id"],
      additionalProperties: true,
      properties: {
        type: { type: "string", description: "The type of error.", examples: ["invalid_request_error"] },
        code: { type: "string", description: "The error's permanent code, for programs.", examples: ["parameter_missing"] },
        message: { type: "string", description: "A message for people. It can change.", examples: ["amount_minor is required."] },
        param: { type: "string", description: "The invalid parameter, as a dotted path.", examples: ["amount_minor"] },
        details: {
          type: "array",
          description: "All errors found, if there can be several.",
          items: {
            type: "object",
            description: "One error.",
            properties: {
              param: { type: "string", description: "The invalid parameter.", examples: ["amount_minor"] },
              code: { type: "string", description: "The error code.", examples: ["parameter_missing"] },
              message: { type: "string", description: "A message for people. It can change.", examples: ["amount_minor is required."] },
              reason: {
                type: "string",
                description: "The reason, more specific than the code and just as stable: create your own messages from it.",
                examples: ["required"],
              },
              values: {
                type: "object",
                additionalProperties: true,
                description: "The reason's details, such as `min`, `max` or `allowed`.",
                examples: [{ min: 1, max: 99 }],
              },
            },
          },
        },
        reason: { type: "string", description: "The reason, if the error is about the whole request.", examples: ["key_ended"] },
        values: { type: "object", additionalProperties: true, description: "The reason's details." },
        doc_url: { type: "string", description: "Where this code is explained." },
        request_id: { type: "string", description: "The same ID as in the `Request-Id` header. Include it when you ask for help." },
      },
    },
  },
};
