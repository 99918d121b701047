import { badRequest, type Refusal } from '../../base/errors.ts';
import type { Doubt, Encoding } from '#shared/operations/records/records.ts';
import { quote } from '#shared/values/validate.ts';

export const ENCODING_NAMES: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16 (big endian)',
  'windows-1252': 'Windows-1252 (Latin-1)',
};

/** A line may hold texts of megabytes; a file without line breaks must not go into memory whole. */
const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;

/** So many bytes are looked at, whoever asks and however much there is. */
const JUDGED_BYTES = 64 * 1024;

/**
 * How a file is encoded by its byte order mark, or by the zeros that UTF-16 makes of plain letters; else UTF-8, or
 * Windows-1252 where it is none and reads as letters and units there.
 */
export function guessEncoding(head: Uint8Array): Encoding {
  const [first, second, third, fourth] = head;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first && second === 0 && third && fourth === 0) return 'utf-16le';
  if (first === 0 && second && third === 0 && fourth) return 'utf-16be';
  const judged = head.subarray(0, JUDGED_BYTES);
  return !isUtf8Beginning(judged) && isWindows1252(judged) ? 'windows-1252' : 'utf-8';
}

/** A character that is cut at the end does not count. */
function isUtf8Beginning(head: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Signs of measurements and what editors make of quotes and dashes. */
const SIGNS = '°µ²³¹±×÷·§€‰«»¼½¾ºª¿¡©®´\u00A0–—‘’“”„…•';
const LETTER = /\p{L}/u;

/** Whether bytes above 127 are letters, or signs that stand in no word: in other code pages they are. */
function isWindows1252(head: Uint8Array): boolean {
  const text = new TextDecoder('windows-1252').decode(head);
  const isLetter = (at: number) => LETTER.test(text[at] ?? '');
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character < '\u0080' || isLetter(at)) continue;
    if (!SIGNS.includes(character)) return false;
    if ('„”“…•—–‘'.includes(character) && isLetter(at - 1) && isLetter(at + 1)) return false;
  }
  return true;
}

/** That a file was taken for Windows-1252, with the word around the first character that shows it. */
export function doubtOfEncoding(text: string): Doubt {
  const word = /[^\s,;|"]{0,20}[^\0-\x7F][^\s,;|"]{0,20}/.exec(text)?.[0] ?? '';
  return {
    setting: 'encoding',
    options: ['windows-1252'],
    columns: [],
    message: `The file is no UTF-8 and is read as ${ENCODING_NAMES['windows-1252']}, by which it holds ${quote(word)}.`,
  };
}

/** The text of a file's beginning; what cannot be decoded, and a character that is cut, becomes U+FFFD. No mark. */
export function decodeHead(head: Uint8Array, encoding: Encoding): string {
  return new TextDecoder(encoding).decode(head);
}

export interface Decoder {
  (piece: Uint8Array, last: boolean): string;
  /** Counts line breaks of whole lines that somebody else has read. */
  pass(lineFeeds: number, carriageReturns: number): void;
}

/** Decodes pieces of a file, without its byte order mark. Throws a 400 Refusal that knows the line where one is not so encoded. */
export function createDecoder(encoding: Encoding): Decoder {
  const strict = new TextDecoder(encoding, { fatal: true });
  const breaks = { '\n': 0, '\r': 0 };
  let lineLength = 0;

  /** A file that breaks its lines by CR has no other. */
  const line = (before = '') =>
    1 + Math.max(breaks['\n'] + count(before, '\n'), breaks['\r'] + count(before, '\r'));

  function decodeStrictly(piece: Uint8Array, last: boolean): string {
    try {
      return strict.decode(piece, { stream: !last });
    } catch {
      const [before = ''] = new TextDecoder(encoding).decode(piece).split('\uFFFD', 1);
      throw notEncoded(encoding, line(before));
    }
  }

  function decode(piece: Uint8Array, last: boolean): string {
    const text = decodeStrictly(piece, last);
    breaks['\n'] += count(text, '\n');
    if (text.includes('\r')) breaks['\r'] += count(text, '\r');
    const lastBreak = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
    lineLength = lastBreak === -1 ? lineLength + text.length : text.length - lastBreak - 1;
    if (lineLength <= MAX_LINE_CHARACTERS) return text;
    throw lineTooLong(line());
  }

  return Object.assign(decode, {
    pass(lineFeeds: number, carriageReturns: number) {
      breaks['\n'] += lineFeeds;
      breaks['\r'] += carriageReturns;
    },
  });
}

/** The 400 for a line that has no end. */
export function lineTooLong(line: number): Refusal {
  return badRequest(
    `line ${line}: a line must be at most ${MAX_LINE_CHARACTERS / 1024 / 1024} Mi characters. Nothing was imported.`,
  );
}

/** The 400 for a line that is not in the encoding; it says what helps. */
export function notEncoded(encoding: Encoding, line: number): Refusal {
  return badRequest(`line ${line}: ${whyNotEncoded(encoding)} Nothing was imported.`);
}

function whyNotEncoded(encoding: Encoding): string {
  if (encoding !== 'utf-8')
    return `the file must be ${ENCODING_NAMES[encoding]} text, and here it is not. Choose another encoding.`;
  return 'the file must be UTF-8 text, and here it is not. Save it as UTF-8 (in a spreadsheet: "CSV UTF-8"), or choose its encoding, such as "windows-1252".';
}

function count(text: string, character: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) found++;
  return found;
}
