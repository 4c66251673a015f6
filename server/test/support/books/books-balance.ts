import { afterAll, expect } from "vitest";
import { auditLedger } from "#ledger/index.ts";
import { auditBooks } from "#orders/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";

/**
 * Returns what checks that the books agree, for all tests of a file; call it at the top of the file. The ledger is read once, after the
 * last test: its transfers are only added, so what is wrong stays wrong, and reading those of every tenant after each test would take
 * longer than the tests.
 */
export function booksBalanceOf({ ctx }: Pick<TestApp, "ctx">): () => Promise<void> {
  afterAll(async () => {
    expect((await auditLedger(ctx)).faults).toEqual([]);
  });
  return async () => {
    expect(await auditBooks(ctx)).toEqual([]);
  };
}
