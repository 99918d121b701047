/** Characters that some file system refuses in a name, or takes for the way to another folder. */
// oxlint-disable-next-line no-control-regex -- control characters are among them
const REFUSED = /[\u0000-\u001f\u007f<>:"/\\|?*]+/g;

/** Device names of Windows, whatever extension follows (https://learn.microsoft.com/windows/win32/fileio/naming-a-file). */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\.|$)/i;

/** Bytes of UTF-8 in a name, on most file systems of Linux; the others take as many UTF-16 units. */
const MOST_BYTES = 255;

const encoder = new TextEncoder();

/** A name that every file system takes, of any text and an extension without its dot: `Größe` and `csv` make `Größe.csv`. */
export function fileName(name: string, extension: string): string {
  const stem = name.toWellFormed().replace(REFUSED, '-').replace(/^\.+/, '').trim();
  const own = DEVICE.test(stem) ? `_${stem}` : stem;
  return `${cut(own || 'records', MOST_BYTES - 1 - encoder.encode(extension).length)}.${extension}`;
}

/** Returns the name for a file of a device's records, without its extension: `PT-107_2026-11-18_2026-11-19`. */
export function exportStem(name: string, first: string | null, last: string | null): string {
  return [name, first, last === first ? null : last].filter((part) => part !== null).join('_');
}

/** As many whole characters as fit into so many bytes. */
function cut(text: string, bytes: number): string {
  let kept = '';
  let left = bytes;
  for (const character of text) {
    left -= encoder.encode(character).length;
    if (left < 0) break;
    kept += character;
  }
  return kept.trimEnd();
}
