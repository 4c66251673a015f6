// The picture that a buyer sends as proof.

const largestUpload = 5 * 1024 * 1024;
/** What the server takes; pictures with more pixels are drawn smaller before they are sent. */
const mostPixels = 16_000_000;

/** Draws a photograph over one of the limits smaller. What is still too large is taken out of its field: false then. */
export async function fitPicture(input: HTMLInputElement): Promise<boolean> {
  const file = input.files?.[0];
  if (file === undefined) return true;
  const picture = await createImageBitmap(file).catch(() => null);
  const small = picture === null || picture.width * picture.height <= mostPixels;
  if (file.size <= largestUpload && small) return true;
  const smaller = picture === null ? null : await drawSmaller(picture);
  if (smaller !== null && smaller.size <= largestUpload) {
    const carrier = new DataTransfer();
    carrier.items.add(new File([smaller], "proof.jpg", { type: "image/jpeg" }));
    input.files = carrier.files;
    return true;
  }
  input.value = "";
  return false;
}

function drawSmaller(picture: ImageBitmap): Promise<Blob | null> {
  const scale = Math.min(1, 2400 / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.85));
}

/** Shows the chosen picture under its field. */
export function previewPicture(input: HTMLInputElement, changeText: string): void {
  const file = input.files?.[0];
  const field = input.closest(".field");
  const image = field?.querySelector<HTMLImageElement>("[data-preview]");
  const label = field?.querySelector("[data-pick]");
  if (file === undefined || !image || !label) return;
  if (image.src !== "") URL.revokeObjectURL(image.src);
  image.src = URL.createObjectURL(file);
  image.hidden = false;
  label.textContent = changeText;
}
