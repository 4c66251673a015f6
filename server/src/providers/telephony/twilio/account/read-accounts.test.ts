import { expect, test } from "vitest";
import { readAccounts } from "./read-accounts.ts";

const extras = {
  numbers: { window: { least: 1, most: 20, usual: 10 } },
  texts: { service: { pattern: /^MG\d+$/, example: "MG1" } },
} as const;
const read = (text: string) => readAccounts(text, extras);

test("an account is read with defaults, and several with all options", () => {
  expect(read("https://AC1:t0ken@api.twilio.com")).toEqual([
    {
      name: "api.twilio.com",
      base: "https://api.twilio.com/2010-04-01",
      ...{ accountSid: "AC1", user: "AC1", password: "t0ken", signingKey: "t0ken" },
      ...{ reach: [], weight: 1, numbers: { window: 10 }, texts: { service: null } },
    },
  ]);
  const several =
    "https://SK1:a%2Fb@carrier.example:8443/api/laml/2010-04-01/?name=x&account=AC2&signing_key=PSK%3D&countries=86,+DE&weight=3&window=20&service=MG7";
  const [other, local] = read(`${several}, http://u:p@127.0.0.1:8080?name=local`);
  expect(other).toMatchObject({
    name: "x",
    base: "https://carrier.example:8443/api/laml/2010-04-01",
    accountSid: "AC2",
    user: "SK1",
    password: "a/b",
  });
  expect(other).toMatchObject({ signingKey: "PSK=", reach: ["86", "DE"], weight: 3, numbers: { window: 20 }, texts: { service: "MG7" } });
  expect(local).toMatchObject({ name: "local", base: "http://127.0.0.1:8080/2010-04-01" });
});

test.each([
  ["", ["it names no account"]],
  ["twilio", ["account 1 can't be read"]],
  ["https://AC1:s3cr3t@h,ftp://x", ["account 1 can't be read"]],
  ["http://AC1:s3cr3t@carrier.example", ["account 1 must be https"]],
  ["https://carrier.example", ["account 1 needs an AccountSid", "account 1 needs an AuthToken"]],
  ["https://AC1:s3cr3t%@h", ["account 1 has an AccountSid or AuthToken that isn't percent-encoded"]],
  ["https://A%2FC:s3cr3t@h", ["account 1 needs an AccountSid of up to 64"]],
  ["https://AC1:s3cr3t@h?signing_key=", ["account 1 needs a signing_key"]],
  [
    "https://AC1:s3cr3t@h?s3cr3t=1&weight=0&window=21&service=s3cr3t",
    ["a parameter that isn't one of", "a weight from 1", "a window from 1 to 20", "a service such as MG1"],
  ],
  ["https://AC1:s3cr3t@h?name=../x&countries=Germany&weight=1&weight=2", ["needs a name", "needs countries", "has a parameter twice"]],
  ["https://AC1:s3cr3t@h#x", ["has a # behind"]],
  ["https://AC1:s3cr3t@h,https://AC2:s3cr3t@h", ["account 2 has the name of account 1"]],
])("everything wrong with %s is reported together, without a secret", (text, says) => {
  for (const one of says) expect(() => read(text)).toThrow(one);
  expect(() => read(text)).not.toThrow("s3cr3t");
});
