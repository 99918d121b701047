/*
 * Cells of a worksheet (ECMA-376, part 1, 18.3.1: "Worksheets"), as XML. Excel's limits are of "Excel specifications and limits":
 * 1,048,576 rows, 16,384 columns, 32,767 characters a cell, 15 digits of a number.
 */

export const MOST_ROWS = 1_048_576;
const MOST_CHARACTERS = 32_767;

/** Places in the list of styles (export/workbook/workbook-parts.ts). */
export const STYLES = { plain: 0, time: 1, head: 2, wrapped: 3 } as const;

/** Between one worksheet of a device and the next: a character that XML cannot hold. */
export const NEXT_SHEET = 0x0c;

const DAY_US = 86_400_000_000;
/** Days from 1899-12-30, from which Excel counts, to 1970-01-01. */
export const EPOCH_DAYS = 25_569;
/** 1900-03-01 in µs since 1970: Excel has a 29th of February before it, and no dates before 1900. */
const FIRST_SERIAL_TIME = (61 - EPOCH_DAYS) * DAY_US;

/** Whether an instant in µs, as a clock shows it, can be a date of Excel. */
export const hasSerial = (wall: number): boolean => wall >= FIRST_SERIAL_TIME;

/** Days since 1899-12-30 of a time in µs; right to 1 µs. */
const serialOf = (wall: number): number => (wall + EPOCH_DAYS * DAY_US) / DAY_US;

/** `A`, `Z`, `AA` of the first, 26th and 27th column, counted from 0. */
export function columnName(index: number): string {
  let name = '';
  for (let left = index; left >= 0; left = Math.floor(left / 26) - 1)
    name = String.fromCharCode(65 + (left % 26)) + name;
  return name;
}

/** What a text must not hold as it is: what XML has a meaning for, what it cannot hold or would change, and escapes themselves. */
const SPECIAL =
  // oxlint-disable-next-line no-control-regex -- control characters are among them
  /[&<>\u0000-\u0008\u000b-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|_(?=x[0-9a-fA-F]{4}_)/g;
// oxlint-disable-next-line no-control-regex -- control characters are among them
const MAY_BE_SPECIAL = /[&<>_\u0000-\u001f\ud800-\udfff\ufffe\uffff]/;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A text between tags: what XML cannot hold as `_x000B_` (ECMA-376, part 1, 22.9.2.19, ST_Xstring). */
export function xmlText(text: string): string {
  if (!MAY_BE_SPECIAL.test(text)) return text;
  return text.replace(
    SPECIAL,
    (one) => ENTITIES[one] ?? `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
}

/** A text of at most as many characters as a cell has; one that is cut says so, and how long it was. */
export function cutText(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const says = ` … (cut: ${text.length} characters)`;
  const end = MOST_CHARACTERS - says.length;
  const isPair = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return text.slice(0, isPair ? end - 1 : end) + says;
}

/** Whether blanks of a text would be lost: at its ends, and all but single ones to some readers. */
export const keepsBlanks = (text: string): boolean => /^\s|\s$|[\n\t]|\s\s/.test(text);

/** An inline text is never a formula, whatever it begins with. `of`: `A2`. */
export const textCell = (of: string, text: string, style: number = STYLES.plain): string =>
  `<c r="${of}"${style === STYLES.plain ? '' : ` s="${style}"`} t="inlineStr"><is><t${keepsBlanks(text) ? ' xml:space="preserve"' : ''}>${xmlText(cutText(text))}</t></is></c>`;

/** A date and time, as a clock shows it; a text where Excel has no such date. */
export const timeCell = (of: string, wall: number, text: string): string =>
  hasSerial(wall)
    ? `<c r="${of}" s="${STYLES.time}"><v>${serialOf(wall)}</v></c>`
    : textCell(of, text, STYLES.plain);

/** Beyond ±2^53 whole numbers are no longer told apart, and Excel shows 15 digits of any: those are ids, and texts. */
export const isLongInteger = (value: number) =>
  !Number.isSafeInteger(value) && Math.abs(value) < 1e21 && Number.isInteger(value);

export function valueCell(of: string, value: number | boolean | string): string {
  if (typeof value === 'string') return textCell(of, value);
  if (typeof value === 'boolean') return `<c r="${of}" t="b"><v>${value ? 1 : 0}</v></c>`;
  if (isLongInteger(value)) return textCell(of, String(value));
  return `<c r="${of}"><v>${Object.is(value, -0) ? '-0' : value}</v></c>`;
}

export const SHEET_END = '</sheetData></worksheet>';

/** The beginning of a worksheet up to its first row; `widths` are those of its columns, in characters. */
export function sheetStart(widths: readonly number[]): string {
  const columns = widths.map(
    (width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`,
  );
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0">' +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${columns.join('')}</cols><sheetData>`
  );
}

/** A row of cells; `number` from 1 on. */
export const rowOf = (number: number, cells: string): string => `<row r="${number}">${cells}</row>`;

/** The row of the names of columns. */
export const headRow = (names: readonly string[]): string =>
  rowOf(1, names.map((name, i) => textCell(`${columnName(i)}1`, name, STYLES.head)).join(''));
