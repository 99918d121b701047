import { RecordFault } from '#core/ingest/record.ts';
import type { Value } from '#core/store/store.ts';
import { quote } from '#shared/validate.ts';
import type { Cell } from './csv.ts';

/** How the fields of one file are written. */
export interface CellRules {
  /** "21,5" is the number 21.5, besides "21.5". */
  readonly decimalComma: boolean;
  /** Quotes make text of anything: "1" is the text 1 and "" the empty text. Otherwise they say nothing. */
  readonly quotesMeanText: boolean;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const NUMBER_OR_COMMA = /^[+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:e[+-]?\d+)?$/i;
/** What loggers, R, Python and spreadsheets write for "no value". */
const ABSENT = /^(?:null|nan|na|n\/a|#n\/a)?$/i;

/** The number a text stands for, or null. "1e999" is an infinity here. */
export function readNumber(text: string, decimalComma: boolean): number | null {
  if (!decimalComma) return NUMBER.test(text) ? Number(text) : null;
  return NUMBER_OR_COMMA.test(text) ? Number(text.replace(',', '.')) : null;
}

/** A field as a value; undefined where the record has none. Throws RecordFault on a number beyond all doubles. */
export function readCell({ text, quoted }: Cell, rules: CellRules): Value | undefined {
  if (quoted && rules.quotesMeanText) return text;
  const number = readNumber(text, rules.decimalComma);
  if (number !== null) {
    if (Number.isFinite(number)) return number;
    throw new RecordFault(`the number ${quote(text)} is too large: at most 1.7976931348623157e308`);
  }
  if (ABSENT.test(text)) return undefined;
  return readBoolean(text) ?? text;
}

function readBoolean(text: string): boolean | null {
  if (text.length > 5) return null;
  const lower = text.toLowerCase();
  return lower === 'true' ? true : lower === 'false' ? false : null;
}
