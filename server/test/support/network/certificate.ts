import { generate } from "selfsigned";
import type { Egress, EgressOptions } from "#platform/create-egress.ts";
import { createEgress } from "#platform/index.ts";

let made: Promise<{ key: string; cert: string }> | undefined;

/** One certificate for every receiver of this process, valid for 127.0.0.1, localhost and names under receiver.example. */
export function certificate(): Promise<{ key: string; cert: string }> {
  made ??= generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    extensions: [
      { name: "basicConstraints", cA: true },
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: "localhost" },
          { type: 2, value: "*.receiver.example" },
          { type: 7, ip: "127.0.0.1" },
        ],
      },
    ],
  }).then(({ private: key, cert }) => ({ key, cert }));
  return made;
}

/** An egress that reaches receivers on this machine. */
export async function localEgress(options: Partial<EgressOptions> = {}): Promise<Egress> {
  const { cert } = await certificate();
  return createEgress({ allow: ["127.0.0.0/8", "::1/128"], publicUrl: "http://localhost:8080", ca: [cert], ...options });
}
