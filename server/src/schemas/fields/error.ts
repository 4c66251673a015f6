import type { AnySchema } from "ajv";

/** The body of every error response, as the OpenAPI document defines it. */
export const errorSchema: AnySchema = {
  $id: "Error",
  type: "object",
  description: "The shape of every answer from 400 up.",
  required: ["error"],
  properties: {
    name: { type: "string", description: "Beside `error` on `/v1` alone: its code, for clients made for other services.", examples: ["parameter_missing"] },
    message: { type: "string", description: "The sentence, likewise.", examples: ["to is required."] },
    statusCode: { type: "integer", description: "The status, likewise.", examples: [400] },
    error: {
      type: "object",
      description: "What went wrong.",
      required: ["type", "code", "message", "doc_url", "request_id"],
      additionalProperties: true,
      properties: {
        type: { type: "string", description: "Family of the error.", examples: ["invalid_request_error"] },
        code: { type: "string", description: "The error's permanent name, for programs.", examples: ["parameter_missing"] },
        message: { type: "string", description: "A sentence for people. It may change.", examples: ["amount_minor is required."] },
        param: { type: "string", description: "The parameter at fault, with a dotted path.", examples: ["amount_minor"] },
        details: {
          type: "array",
          description: "Every fault that was found, when there can be several.",
          items: {
            type: "object",
            description: "One fault.",
            properties: {
              param: { type: "string", description: "The parameter at fault.", examples: ["amount_minor"] },
              code: { type: "string", description: "What is wrong with it.", examples: ["parameter_missing"] },
              message: { type: "string", description: "A sentence for people. It may change.", examples: ["amount_minor is required."] },
              reason: {
                type: "string",
                description: "What is wrong, finer than the code and as permanent: make your own words from it.",
                examples: ["required"],
              },
              values: {
                type: "object",
                additionalProperties: true,
                description: "What the reason is about, such as `min`, `max` or `allowed`.",
                examples: [{ min: 1, max: 99 }],
              },
            },
          },
        },
        reason: { type: "string", description: "Why, where the fault is of the whole request.", examples: ["key_ended"] },
        values: { type: "object", additionalProperties: true, description: "What the reason is about." },
        doc_url: { type: "string", description: "Where this code is explained." },
        request_id: { type: "string", description: "The same id as in the `Request-Id` header; name it when you ask for help." },
      },
    },
  },
};
