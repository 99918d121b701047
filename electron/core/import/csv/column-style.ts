import type { FileSettings } from '#shared/operations/records/records.ts';
import type { Cell } from '../text/csv.ts';
import { isQuotedText, readBoolean, type Quoting } from './cell.ts';
import type { MissingWords } from './missing-words.ts';
import {
  exceedsNumber,
  hasLeadingZeros,
  isNumber,
  markOf,
  mayBeCode,
  readEither,
  readNumber,
  type Mark,
} from '../text/number-text.ts';

/** How the values of one column are written. */
export interface ColumnStyle {
  /** "auto": what reads as a number is one. "text": nothing is. "number": also digits that a number does not keep. */
  readonly as: 'auto' | 'text' | 'number';
  /** Null where nothing has said it yet. */
  readonly mark: Mark | null;
  /** Whether the mark is known: chosen, or proved by a value. Otherwise a value may still prove another one. */
  readonly firm: boolean;
  /** Whether numbers such as "1,234" stand in it, and nothing says which they are. */
  readonly unsure: boolean;
  /** Whether values with a fraction stand in it: zeros before its numbers are then their form, as in "007" beside "007.5". */
  readonly fractions: boolean;
  /** Digits that a number would not keep, where they made the column text. */
  readonly digits: string | null;
  /** Its first value, where each may as well be a number and a flag behind a comma. */
  readonly flagged: string | null;
  /** Whether it was chosen that values stay as they are written: then "NA" and "null" are values too. */
  readonly verbatim: boolean;
  /** Whether it holds numbers, and no more texts than that, so that "-" is no value there. */
  readonly numeric: 'yes' | 'no' | 'unknown';
}

export type StyleChoices = Pick<
  FileSettings,
  'decimal_mark' | 'missing_words' | 'text_columns' | 'number_columns'
>;

export interface StyleContext {
  readonly quoting: Quoting;
  readonly delimiter: string;
  readonly choices: StyleChoices;
  readonly missing: MissingWords;
}

/** What the first rows of a column prove. */
export interface Evidence {
  readonly point: number;
  readonly comma: number;
  /** Whether points stand in others than those with an exponent, which programs write with a point in any language. */
  readonly plainPoint: boolean;
  /** Such as "1,234" and "1.234", which have three decimals or are above 1,000. */
  readonly eitherComma: number;
  readonly eitherPoint: number;
  readonly whole: number;
  readonly digits: string | null;
  /** The first of values that may all be codes, such as "1E5"; null where one is something else. */
  readonly code: string | null;
  /** The first of decimal commas that may as well stand before a flag. */
  readonly flagged: string | null;
  readonly numeric: ColumnStyle['numeric'];
}

/** What stands before the fractions of all columns that prove it; undefined where they differ or none does. */
export function usualMark(found: readonly Evidence[]): Mark | undefined {
  const proved = found.filter(({ point, comma }) => point + comma > 0);
  const marks = new Set(proved.map(({ point, comma }): Mark => (comma > point ? ',' : '.')));
  return marks.size === 1 ? [...marks][0] : undefined;
}

/** The mark of the columns whose numbers have one; null where they differ or none has. */
function markIn(found: readonly Evidence[]): Mark | null {
  const points = found.some(({ plainPoint }) => plainPoint);
  const commas = found.some(({ comma }) => comma > 0);
  return points === commas ? null : points ? '.' : ',';
}

/**
 * How each column writes its values, by its first cells: by itself, or as the others do. `times` are the columns that may
 * hold times, whose numbers a program may write in another way than those that were measured.
 */
export function guessStyles(
  names: readonly string[],
  found: readonly Evidence[],
  times: readonly number[],
  context: StyleContext,
): ColumnStyle[] {
  const others = { all: markIn(found), measured: markIn(found.filter((_, index) => !times.includes(index))) };
  const { text_columns = '', number_columns = '' } = context.choices;
  const [texts, numbers] = [listed(text_columns, names), listed(number_columns, names)];
  return found.map((evidence, index) => {
    const name = names[index] ?? '';
    const chosen = texts.includes(name) ? 'text' : numbers.includes(name) ? 'number' : null;
    const fractions = evidence.point + evidence.comma > 0;
    const kept = evidence.code ?? evidence.digits;
    const isText = kept !== null && !fractions;
    return {
      fractions,
      verbatim: chosen === 'text',
      numeric: evidence.numeric,
      as: chosen ?? (isText ? 'text' : 'auto'),
      digits: chosen === null && isText ? kept : null,
      flagged: chosen === null && context.choices.decimal_mark === undefined ? evidence.flagged : null,
      ...guessMark(evidence, others, context),
    };
  });
}

/** The names of columns that a setting lists, with the blanks that the file has around them. Others stay as they are. */
export function listed(list: string, names: readonly string[]): string[] {
  return list.split(',').flatMap((part) => {
    const name = part.trim();
    if (name === '' || names.includes(name)) return name || [];
    return names.includes(part) ? part : (names.find((known) => known.trim() === name) ?? name);
  });
}

export function evidenceOf(cells: readonly Cell[], { quoting, delimiter, missing }: StyleContext): Evidence {
  let [point, comma, eitherComma, eitherPoint, whole, codes] = [0, 0, 0, 0, 0, 0];
  let [numbers, texts] = [0, 0];
  let plainPoint = false;
  let digits: string | null = null;
  let code: string | null = null;
  const commas: string[] = [];
  for (const cell of cells) {
    const text = cell.text.trim();
    if (text === '') continue;
    const isQuoted = isQuotedText(cell, quoting, delimiter);
    if (!isQuoted && isNumber(text)) numbers++;
    else if (missing.has(text, true) === false && readBoolean(text) === null) texts++;
    if (isQuoted) continue;
    if (mayBeCode(text)) {
      code ??= text;
      codes++;
    } else if (/^[+-]?\d+$/.test(text)) {
      whole++;
      if (digits === null && (hasLeadingZeros(text) || exceedsNumber(text))) digits = text;
    }
    // Between commas, a comma can only stand in quotes.
    const mark = markOf(text);
    if (mark === '.') {
      point++;
      plainPoint ||= !/e/i.test(text);
    } else if (mark === ',') {
      comma++;
      commas.push(text);
    } else if (mark === 'either' && text.includes(',')) eitherComma++;
    else if (mark === 'either') eitherPoint++;
  }
  return {
    point,
    comma,
    plainPoint,
    eitherComma,
    eitherPoint,
    whole,
    digits,
    code: codes === numbers ? code : null,
    flagged: delimiter === ',' && mayBeFlags(commas) ? (commas[0] ?? null) : null,
    numeric: numbers > 0 && numbers >= texts ? 'yes' : numbers + texts === 0 ? 'unknown' : 'no',
  };
}

/** Flags of one column are few. */
const MOST_FLAGS = 3;

/**
 * Whether what stands behind commas may as well be flags, as in the "+0011,5" of weather services: behind numbers that are
 * padded with zeros, or of one width and of few kinds. Only between commas would both be written so.
 */
function mayBeFlags(texts: readonly string[]): boolean {
  if (texts.some((text) => /^[+-]?0\d+,\d/.test(text))) return true;
  const behind = new Set(texts.map((text) => text.slice(text.indexOf(',') + 1)));
  const widths = new Set([...behind].map((flag) => flag.length));
  return widths.size === 1 && behind.size <= MOST_FLAGS;
}

function guessMark(
  { point, comma, eitherComma, eitherPoint, whole }: Evidence,
  { all, measured }: { readonly all: Mark | null; readonly measured: Mark | null },
  { delimiter, quoting, choices }: StyleContext,
): Pick<ColumnStyle, 'mark' | 'firm' | 'unsure'> {
  if (choices.decimal_mark) return { mark: choices.decimal_mark, firm: true, unsure: false };
  if (point + comma > 0)
    return { mark: comma > point ? ',' : '.', firm: true, unsure: point > 0 && comma > 0 };
  const usual = measured ?? all;
  // Between commas, a point stands before decimals, and a comma in a field means thousands far more often than a fraction.
  // Where everything stands in quotes, the delimiter says nothing of it, nor do times.
  if (delimiter === ',') {
    const unsure =
      quoting === 'nothing'
        ? eitherComma + eitherPoint > 0 && measured === null
        : eitherComma > 0 && usual === null;
    // Where nothing has shown a mark yet, a late "1,234" is told.
    return { mark: usual ?? '.', firm: usual !== null || unsure, unsure };
  }
  if (eitherComma + eitherPoint === 0) return { mark: usual, firm: false, unsure: false };
  // Thousands stand beside numbers below a thousand; three decimals stand in every row.
  const own: Mark = eitherComma > eitherPoint ? ',' : '.';
  const mark = whole > 0 ? (own === ',' ? '.' : ',') : own;
  return { mark: usual ?? mark, firm: false, unsure: usual !== mark };
}

/** Whether a quoted field is a number that its quotes make text of. */
export function isQuotedNumber(
  cell: Cell,
  { as }: ColumnStyle,
  { quoting, delimiter }: StyleContext,
): boolean {
  return as !== 'number' && isQuotedText(cell, quoting, delimiter) && isNumber(cell.text.trim());
}

/** Whether quotes make text of a field: of numbers they do not where their column was said to hold numbers. */
export function isTextInQuotes(
  cell: Cell,
  { as }: ColumnStyle,
  { quoting, delimiter }: StyleContext,
): boolean {
  return isQuotedText(cell, quoting, delimiter) && !(as === 'number' && isNumber(cell.text.trim()));
}

/** The number of a field, by what is known of its column; null for other texts. */
export function numberBy(
  written: string,
  { as, mark, fractions }: Pick<ColumnStyle, 'as' | 'mark' | 'fractions'>,
  { delimiter, choices }: StyleContext,
): number | null {
  if (as === 'text') return null;
  // Loggers that print with a width pad numbers inside their quotes.
  const text = written.trim();
  if (as === 'auto' && (exceedsNumber(text) || (!fractions && hasLeadingZeros(text)))) return null;
  if (delimiter === ',' && choices.decimal_mark === undefined && mark !== ',')
    return readNumber(text, mark ?? '.');
  return readEither(text, mark ?? '.');
}
