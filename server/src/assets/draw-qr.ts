import { crc32, deflateSync } from "node:zlib";
import { encode } from "uqr";

export interface QrDrawing {
  /** `#rrggbb`: a small mark in the corner that tells the channels apart, clear of the code and of the finder patterns. */
  mark?: string;
  /** Pixels a module of the PNG. */
  scale?: number;
}

const border = 4;

/** The code as SVG, with dark modules as one path; scales without loss. */
export function drawQrSvg(text: string, drawing: QrDrawing = {}): string {
  const rows = modulesOf(text);
  const side = rows.length;
  let path = "";
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < side; x += 1) {
      if (row[x] !== true) continue;
      const from = x;
      while (row[x + 1] === true) x += 1;
      path += `M${from} ${y}h${x - from + 1}v1H${from}z`;
    }
  }
  const mark = drawing.mark === undefined ? "" : `<path fill="${colourOf(drawing.mark)}" d="M${side - 2} ${side - 2}h2v2h-2z"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges" role="img"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path fill="#000" d="${path}"/>${mark}</svg>`;
}

/** The code as a PNG of three colours, written here: what phones save to their album and scan from it. */
export function drawQrPng(text: string, drawing: QrDrawing = {}): Buffer {
  const rows = modulesOf(text);
  const scale = drawing.scale ?? 12;
  const side = rows.length * scale;
  const lines: Buffer[] = [];
  for (const [y, row] of rows.entries()) {
    const line = Buffer.alloc(side + 1);
    for (let x = 0; x < rows.length; x += 1) {
      const marked = drawing.mark !== undefined && x >= rows.length - 2 && y >= rows.length - 2;
      line.fill(marked ? 2 : row[x] === true ? 1 : 0, x * scale + 1, (x + 1) * scale + 1);
    }
    for (let repeat = 0; repeat < scale; repeat += 1) lines.push(line);
  }
  return pngOf({ side, pixels: Buffer.concat(lines), palette: ["#ffffff", "#000000", colourOf(drawing.mark ?? "#ffffff")] });
}

/** Dark modules with the quiet zone that scanners need around them. */
function modulesOf(text: string): boolean[][] {
  return encode(text, { ecc: "M", border }).data;
}

function colourOf(colour: string): string {
  if (!/^#[0-9a-fA-F]{6}$/.test(colour)) throw new Error(`not a colour: ${colour}`);
  return colour;
}

function pngOf(picture: { side: number; pixels: Buffer; palette: string[] }): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(picture.side, 0);
  header.writeUInt32BE(picture.side, 4);
  header.set([8, 3], 8); // eight bits a pixel, by palette
  const palette = Buffer.from(picture.palette.map((colour) => colour.slice(1)).join(""), "hex");
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunkOf("IHDR", header),
    chunkOf("PLTE", palette),
    chunkOf("IDAT", deflateSync(picture.pixels)),
    chunkOf("IEND", Buffer.alloc(0)),
  ]);
}

function chunkOf(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}
