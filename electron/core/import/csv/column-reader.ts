import { checkedText } from '../../ingest/record.ts';
import type { Value } from '../../store/store.ts';
import { quote } from '#shared/validate.ts';
import { SettingNeeded } from '../setting-needed.ts';
import { finite, isQuotedText, readWord } from './cell.ts';
import { countOf } from '#shared/counts.ts';
import type { Cell } from '../text/csv.ts';
import { numberBy, type ColumnStyle, type StyleContext } from './column-style.ts';
import { markOf, type Mark } from '../text/number-text.ts';

/** Reads the values of one column over a whole file, and keeps in mind what people must be told of it. */
export interface ColumnReader {
  /**
   * A field as a value; undefined where the record has none. Throws RecordFault on a number beyond all doubles and on a
   * text that is too long, and a 400 Refusal where it shows that values before it may have been read wrongly.
   */
  read(cell: Cell, line: number): Value | undefined;
  notes(): string[];
  /** What is known of the column by now, for who reads fields from bytes. */
  plain(): PlainStyle;
  /** Takes note of so many more numbers and texts that were read from bytes. */
  saw(numbers: number, texts: number): void;
}

/** Which fields need no look at their text: `read` would learn nothing from them. */
export interface PlainStyle {
  /** None, whole ones, or also those with this mark. */
  readonly numbers: 'none' | 'whole' | Mark;
  /** Whether texts were seen before, so that another is not the first. */
  readonly texts: boolean;
  /** Whether whatever is no missing value is a text; "verbatim": whatever is not empty. */
  readonly only: 'texts' | 'verbatim' | null;
}

/** Something that was seen: how often, and where first. */
interface Seen {
  count: number;
  first: { readonly text: string; readonly line: number } | null;
}

function see(seen: Seen, text: string, line: number): void {
  seen.first ??= { text, line };
  seen.count++;
}

/** Whole numbers and decimals that need no second look. */
const WHOLE = /^-?(?:0|[1-9]\d{0,14})$/;
const POINT = /^-?\d+\.\d+$/;
const COMMA = /^-?\d+,\d+$/;

export function createColumnReader(name: string, style: ColumnStyle, context: StyleContext): ColumnReader {
  const { quoting, delimiter } = context;
  let { mark, firm, fractions } = style;
  const texts: Seen = { count: 0, first: null };
  const numbers: Seen = { count: 0, first: null };
  /** Numbers with the other mark, in a column that is known to have one. */
  const others: Seen = { count: 0, first: null };
  /** The first number that was read by a mark that nothing had proved. */
  let doubtful: Seen['first'] = null;

  function readNumber(text: string, line: number): number | null {
    if (style.as === 'text') return null;
    if (WHOLE.test(text)) return Number(text);
    if (firm && fractions) {
      if (mark === '.' && POINT.test(text)) return Number(text);
      if (mark === ',' && COMMA.test(text)) return Number(text.replace(',', '.'));
    }
    learn(text, line);
    return numberBy(text, { as: style.as, mark, fractions }, context);
  }

  /** What a number proves of its column. */
  function learn(text: string, line: number): void {
    const own = markOf(text);
    if (own === null || (own === ',' && delimiter === ',')) return;
    if (own === 'either') {
      if (mark === null && text.includes(','))
        throw undecided(line, `holds ${quote(text)}, which has three decimals or is above 1,000`);
      mark ??= '.';
      if (!firm) doubtful ??= { text, line };
      return;
    }
    fractions = true;
    if (firm && own !== mark) see(others, text, line);
    if (firm) return;
    if (doubtful && own !== mark)
      throw undecided(
        line,
        `holds ${quote(text)}, so that ${quote(doubtful.text)} in line ${doubtful.line} may be above 1,000 or have three decimals`,
      );
    mark = own;
    firm = true;
  }

  function undecided(line: number, why: string) {
    return new SettingNeeded(
      'decimal_mark',
      `line ${line}: ${quote(name)} ${why}. Set decimal_mark to "." or ",". Nothing was imported.`,
    );
  }

  return {
    read(cell, line) {
      const { text } = cell;
      if (text === '' && !cell.quoted) return undefined;
      if ((style.verbatim && text !== '') || isQuotedText(cell, quoting, delimiter)) {
        see(texts, text, line);
        return checkedText(name, text);
      }
      const number = readNumber(text, line);
      if (number !== null) {
        see(numbers, text, line);
        return finite(number, text);
      }
      const word = readWord(text);
      if (word === undefined) return undefined;
      if (typeof word === 'boolean' && style.as !== 'text') return word;
      see(texts, text, line);
      return checkedText(name, text);
    },

    plain() {
      const known = style.as !== 'text' && numbers.first !== null;
      return {
        numbers: known ? (firm && fractions && mark) || 'whole' : 'none',
        texts: texts.first !== null,
        only: style.verbatim ? 'verbatim' : style.as === 'text' ? 'texts' : null,
      };
    },

    saw(moreNumbers, moreTexts) {
      numbers.count += moreNumbers;
      texts.count += moreTexts;
    },

    notes() {
      const notes: string[] = [];
      if (style.as === 'auto' && texts.first && numbers.first) {
        const [fewer, kind] = texts.count <= numbers.count ? [texts, 'text'] : [numbers, 'number'];
        notes.push(
          `${quote(name)} holds ${countOf(numbers.count, 'number')} and ${countOf(texts.count, 'text')}; the first ${kind} is ${quote(fewer.first?.text)} in line ${fewer.first?.line}.`,
        );
      }
      if (others.first)
        notes.push(
          `${quote(name)} holds decimal points and decimal commas. Of those of the second kind, ${countOf(others.count, 'number')}, the first is ${quote(others.first.text)} in line ${others.first.line}.`,
        );
      return notes;
    },
  };
}
