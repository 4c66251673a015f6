import { expect, test } from "vitest";
import { readListing } from "./read-listing.ts";

const page = (objects: string, rest = "") => `<?xml version="1.0"?><ListBucketResult>${objects}${rest}</ListBucketResult>`;

test("a page has its objects, and where the next one continues", () => {
  const objects =
    "<Contents><Key>a</Key>\n<Size>1</Size></Contents>\n<Contents><Size>22</Size><Key>b/c</Key></Contents><Contents></Contents>";
  const next = "<IsTruncated>true</IsTruncated><NextContinuationToken>t1</NextContinuationToken>";
  const found = [
    { key: "a", bytes: 1 },
    { key: "b/c", bytes: 22 },
  ];
  expect(readListing(page(objects, next))).toEqual({ objects: found, next: "t1" });
  expect(readListing(page(objects, next.replace("true", "false")))).toEqual({ objects: found, next: null });
  expect(readListing("")).toEqual({ objects: [], next: null });
});

test("a page of megabytes whose objects aren't closed is read once, not once for each of them", () => {
  const open = "<Contents>".repeat(500_000);
  expect(readListing(page("<Contents><Key>a</Key><Size>1</Size></Contents>", open)).objects).toEqual([{ key: "a", bytes: 1 }]);
});
