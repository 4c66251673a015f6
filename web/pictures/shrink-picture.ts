// Photos of current phones have more pixels, and more bytes, than the server takes. They are shrunk before they are sent.

const largestUpload = 5 * 1024 * 1024;
const maxPixels = 25_000_000;
/** The sizes to try, largest first. Phone browsers can't draw more than 16 megapixels. */
const pixelSteps = [16_000_000, 8_000_000, 4_000_000, 2_000_000];

/**
 * A file that the server takes: the same one if it is within the limits, otherwise a smaller JPEG; null if it can't be made small enough.
 */
export async function shrinkPicture(file: File): Promise<File | null> {
  const picture = await createImageBitmap(file).catch(() => null);
  // The server decides about what the browser can't open, unless it is too large to send.
  if (picture === null) return file.size <= largestUpload ? file : null;
  try {
    const pixels = picture.width * picture.height;
    if (file.size <= largestUpload && pixels <= maxPixels) return file;
    for (const most of pixelSteps) {
      const smaller = await drawWithin(picture, most);
      if (smaller !== null && smaller.size <= largestUpload) return new File([smaller], "picture.jpg", { type: "image/jpeg" });
    }
    return null;
  } finally {
    picture.close();
  }
}

function drawWithin(picture: ImageBitmap, most: number): Promise<Blob | null> {
  const scale = Math.min(1, Math.sqrt(most / (picture.width * picture.height)));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.floor(picture.width * scale));
  canvas.height = Math.max(1, Math.floor(picture.height * scale));
  const pen = canvas.getContext("2d");
  if (pen === null) return Promise.resolve(null);
  // JPEG has no transparency, and transparent parts would become black.
  pen.fillStyle = "#ffffff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.imageSmoothingQuality = "high";
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.85));
}
