export interface BucketObject {
  key: string;
  bytes: number;
}

/** A page of a bucket's list, and where the next one continues; null for the last one. */
export interface Listing {
  objects: BucketObject[];
  next: string | null;
}

/** Reads a page of an S3-compatible store's list. */
export function readListing(xml: string): Listing {
  const objects: BucketObject[] = [];
  for (const object of elementsOf(xml, "Contents")) {
    const key = fieldOf(object, "Key");
    if (key !== null) objects.push({ key, bytes: Number(fieldOf(object, "Size")) });
  }
  return { objects, next: fieldOf(xml, "IsTruncated") === "true" ? fieldOf(xml, "NextContinuationToken") : null };
}

/** The text of the first element with this name that contains only text; null if absent. */
export function fieldOf(xml: string, name: string): string | null {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? null;
}

/** The contents of elements. Without a regular expression, which would look for the end of each unclosed one up to the end of the text. */
function* elementsOf(xml: string, name: string): Generator<string> {
  const [open, close] = [`<${name}>`, `</${name}>`];
  for (let at = xml.indexOf(open); at >= 0; ) {
    const end = xml.indexOf(close, at);
    if (end < 0) return;
    yield xml.slice(at + open.length, end);
    at = xml.indexOf(open, end);
  }
}
