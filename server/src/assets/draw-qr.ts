import { crc32, deflateSync } from "node:zlib";
import { encode } from "uqr";

export interface QrDrawing {
  /**
   * Puts a violet band with the word TEST across the middle; the code then has as much error correction as possible, and scanners still
   * read it.
   */
  test?: boolean;
  /** Pixels per module of the PNG. */
  scale?: number;
}

const border = 4;

/** The values of a cell: background, code, band, word on the band. */
const [paper, dark, band, word] = [0, 1, 2, 3] as const;
const palette = ["#ffffff", "#000000", "#6d3bc4", "#ffffff"];

/** The code as SVG, with dark modules as one path; scales without loss. */
export function drawQrSvg(text: string, drawing: QrDrawing = {}): string {
  const cells = cellsOf(text, drawing);
  const side = cells.length;
  const layers = [dark, band, word].map((kind) => {
    const path = pathOf(cells, kind);
    return path === "" ? "" : `<path fill="${palette[kind]}" d="${path}"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges" role="img"><path fill="#fff" d="M0 0h${side}v${side}H0z"/>${layers.join("")}</svg>`;
}

function pathOf(cells: number[][], kind: number): string {
  let path = "";
  for (const [y, row] of cells.entries()) {
    for (let x = 0; x < row.length; x += 1) {
      if (row[x] !== kind) continue;
      const from = x;
      while (row[x + 1] === kind) x += 1;
      path += `M${from} ${y}h${x - from + 1}v1H${from}z`;
    }
  }
  return path;
}

/** The code as a PNG with a few colors, encoded here: phones save it to their album and scan it from there. */
export function drawQrPng(text: string, drawing: QrDrawing = {}): Buffer {
  const cells = cellsOf(text, drawing);
  const scale = drawing.scale ?? 12;
  const side = cells.length * scale;
  const lines: Buffer[] = [];
  for (const row of cells) {
    const line = Buffer.alloc(side + 1);
    for (const [x, kind] of row.entries()) line.fill(kind, x * scale + 1, (x + 1) * scale + 1);
    for (let repeat = 0; repeat < scale; repeat += 1) lines.push(line);
  }
  return pngOf({ side, pixels: Buffer.concat(lines), palette });
}

/** The modules with the quiet zone that scanners need around them, and the band. */
function cellsOf(text: string, drawing: QrDrawing): number[][] {
  // In a code with few modules the band would cover more than error correction can recover: a fifth of 200 codes couldn't be read, but all
  // could from version 5 on.
  const repair = drawing.test === true ? ({ ecc: "H", minVersion: 6 } as const) : ({ ecc: "M" } as const);
  const cells: number[][] = encode(text, { ...repair, border }).data.map((row) => row.map((isDark) => (isDark ? dark : paper)));
  if (drawing.test === true) layBand(cells);
  return cells;
}

/** T, E, S, T in letters of three by five cells. */
const letters = ["111 111 111 111", "010 100 100 010", "010 111 111 010", "010 100 001 010", "010 111 111 010"];

/** How far the band extends beyond its word: as far as scanners were seen to read it. */
const bandMargin = 5;

function layBand(cells: number[][]): void {
  const side = cells.length;
  const top = Math.floor(side / 2) - 3;
  const left = Math.floor((side - 15) / 2);
  for (const row of cells.slice(top, top + 7)) row.fill(band, left - bandMargin, left + 15 + bandMargin);
  for (const [y, line] of letters.entries()) {
    for (const [x, sign] of [...line].entries()) {
      const row = cells[top + 1 + y];
      if (row !== undefined && sign === "1") row[left + x] = word;
    }
  }
}

function pngOf(picture: { side: number; pixels: Buffer; palette: string[] }): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(picture.side, 0);
  header.writeUInt32BE(picture.side, 4);
  header.set([8, 3], 8); // eight bits per pixel, with a palette
  const colours = Buffer.from(picture.palette.map((colour) => colour.slice(1)).join(""), "hex");
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunkOf("IHDR", header),
    chunkOf("PLTE", colours),
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
