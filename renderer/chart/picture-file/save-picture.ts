import { fileName } from '#shared/values/file-name.ts';
import { formatDay, type Zone } from '../../time.ts';
import type { TimeSpan } from '../time/window.ts';

/** Of a picture's pixels to those of its SVG: sharp on a page that is printed. */
const SHARPNESS = 2;
/** Characters of an id that tell devices of one name apart. */
const OF_ID = 4;
/** Of the names in a file's; what file systems take is 255. */
const MOST_BYTES = 200;

/** `PT-107_2026-11-18_2026-11-19.png`; `devices` are all that are on the picture. */
export function pictureName(
  devices: readonly { readonly name: string; readonly id: string; readonly isTwin: boolean }[],
  { from, to }: TimeSpan,
  zone: Zone,
  extension: 'png' | 'svg',
): string {
  const names = devices.map(({ name, id, isTwin }) => (isTwin ? `${name}-${id.slice(0, OF_ID)}` : name));
  const who = beginning(names.join('+'));
  const days = [...new Set([formatDay(from, zone), formatDay(to, zone)])];
  return fileName([who, ...days].join('_'), extension);
}

/** Of many or long names; the days must not be cut off behind them. */
function beginning(names: string): string {
  const encoder = new TextEncoder();
  let [kept, bytes] = ['', 0];
  for (const character of names) {
    bytes += encoder.encode(character).length;
    if (bytes > MOST_BYTES) break;
    kept += character;
  }
  return kept;
}

/** The SVG of a picture as a file. */
export function svgFile(svg: string): Blob {
  return new Blob([`<?xml version="1.0" encoding="UTF-8"?>\n${svg}`], { type: 'image/svg+xml' });
}

/** Paints it at twice its size. Rejects where the browser cannot. */
export async function pngFile(svg: string): Promise<Blob> {
  const image = new Image();
  // The page's policy knows data: images, and no others beside the app's own.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width * SHARPNESS;
  canvas.height = image.height * SHARPNESS;
  const context = canvas.getContext('2d');
  context?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) throw new Error('The picture is too large to be painted. Save it as SVG.');
  return blob;
}

/** Browsers want to be told of it while the click is handled; the picture may come later. */
export async function copyPicture(png: Promise<Blob>): Promise<void> {
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
}
