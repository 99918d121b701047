import { crc32, deflateSync } from 'node:zlib';
import type { Page } from '@playwright/test';

/** Of a PNG with a palette, whose index is one byte: more than a screen has but at the edges of its letters. */
const MOST_COLOURS = 96;

/**
 * Returns a picture of a screen as a PNG with a palette, a third of the size: pictures of the documentation ship with the app.
 * What has few colours keeps them; of others, as at the edges of letters, the palette has the nearest.
 */
export async function smallPng(page: Page, png: Buffer): Promise<Buffer> {
  const { width, height, pixels } = await pixelsOf(page, png);
  const { colours, indexOf } = paletteOf(pixels);
  // Each row begins with its filter, 0 for none: neighbours in a palette are not alike.
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = indexOf.get(pixels[y * width + x]!)!;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colours.flatMap((colour) => [...channels(colour)]))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Has the browser read it; each pixel is 0xRRGGBB. */
async function pixelsOf(page: Page, png: Buffer) {
  const blank = await page.context().newPage();
  try {
    const { width, height, bytes } = await blank.evaluate(async (source) => {
      const image = new Image();
      image.src = `data:image/png;base64,${source}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      let text = '';
      for (let at = 0; at < data.length; at += 2 ** 15)
        text += String.fromCharCode(...data.subarray(at, at + 2 ** 15));
      return { width: image.width, height: image.height, bytes: btoa(text) };
    }, png.toString('base64'));
    const rgba = Buffer.from(bytes, 'base64');
    const pixels = Uint32Array.from({ length: width * height }, (_, n) => rgba.readUInt32BE(4 * n) >>> 8);
    return { width, height, pixels };
  } finally {
    await blank.close();
  }
}

/** Takes, one after the other, the colour that most pixels are farthest from; the first is that of most pixels. */
function paletteOf(pixels: Uint32Array) {
  const counts = new Map<number, number>();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const all = [...counts].toSorted(([, a], [, b]) => b - a);
  const distance = new Float64Array(all.length).fill(Infinity);
  const nearest = new Uint8Array(all.length);
  const colours: number[] = [];
  for (let next = 0; colours.length < Math.min(MOST_COLOURS, all.length);) {
    const taken = all[next]![0];
    const index = colours.push(taken) - 1;
    let farthest = -1;
    for (const [n, [colour, count]] of all.entries()) {
      const far = between(colour, taken);
      if (far < distance[n]!) {
        distance[n] = far;
        nearest[n] = index;
      }
      const weight = distance[n]! * Math.sqrt(count);
      if (weight > farthest) [farthest, next] = [weight, n];
    }
  }
  return { colours, indexOf: new Map(all.map(([colour], n) => [colour, nearest[n]!])) };
}

const channels = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255] as const;

const between = (a: number, b: number) => {
  const [one, other] = [channels(a), channels(b)];
  return one.reduce((sum, channel, n) => sum + (channel - other[n]!) ** 2, 0);
};

/** Length, name, content, checksum (PNG, 5.3). */
function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
