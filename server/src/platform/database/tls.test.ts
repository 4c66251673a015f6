import { expect, it } from "vitest";
import { connectionOf } from "./driver/database-url.ts";

it("leaves other parameters of a URL to the driver, and folders of sockets unchanged", () => {
  expect(connectionOf("postgres://a@b/c?application_name=x&sslmode=disable")).toEqual([
    "postgres://a@b/c?application_name=x",
    { ssl: false },
  ]);
  expect(connectionOf("postgres:///c?host=/run/x&port=5433")).toEqual(["postgres:///c", { path: "/run/x/.s.PGSQL.5433" }]);
});
