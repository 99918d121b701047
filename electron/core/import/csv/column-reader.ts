import { checkedText } from '../../ingest/record.ts';
import type { Value } from '../../store/store.ts';
import { quote } from '#shared/values/validate.ts';
import { SettingNeeded } from '../setting-needed.ts';
import { finite, readBoolean } from './cell.ts';
import { countOf } from '#shared/values/counts.ts';
import type { Cell } from '../text/csv.ts';
import { isTextInQuotes, numberBy, type ColumnStyle, type StyleContext } from './column-style.ts';
import { markOf, type Mark } from '../text/number-text.ts';
import { notSeen, see, type Seen } from '../text/seen.ts';

/** Reads the values of one column over a whole file, and keeps in mind what people must be told of it. */
export interface ColumnReader {
  /**
   * A field as a value; undefined where the record has none. Throws RecordFault on a number beyond all doubles and on a
   * text that is too long, and a 400 Refusal where it shows that values before it may have been read wrongly.
   */
  read(cell: Cell, line: number): Value | undefined;
  notes(): string[];
  /** What a field says that is neither number nor quoted text. */
  word(text: string): Word;
  /** Whether a text in quotes is taken for no value, though quotes make text of others. */
  isMissingQuoted(text: string): boolean;
  /** What is known of the column by now, for who reads fields from bytes. */
  plain(): PlainStyle;
  /** Takes note of so many more numbers and texts that were read from bytes. */
  saw(numbers: number, texts: number): void;
}

/** A value; undefined where there is none; `KNOWN` where a word is taken for none and people must be told. */
export type Word = boolean | string | undefined | typeof KNOWN;
export const KNOWN = {} as const;

/** Which fields need no look at their text: `read` would learn nothing from them. */
export interface PlainStyle {
  /** None, whole ones, or also those with this mark. */
  readonly numbers: 'none' | 'whole' | Mark;
  /** Whether texts were seen before, so that another is not the first. */
  readonly texts: boolean;
  /** Whether whatever is no missing value is a text; "verbatim": whatever is not empty. */
  readonly only: 'texts' | 'verbatim' | null;
  /** Whether numbers may stand in quotes that make text of others. */
  readonly quotedNumbers: boolean;
}

/** Whole numbers and decimals that need no second look. */
const WHOLE = /^-?(?:0|[1-9]\d{0,14})$/;
const POINT = /^-?\d+\.\d+$/;
const COMMA = /^-?\d+,\d+$/;

export function createColumnReader(name: string, style: ColumnStyle, context: StyleContext): ColumnReader {
  const { quoting, delimiter, missing } = context;
  let { mark, firm, fractions } = style;
  const texts = notSeen();
  const numbers = notSeen();
  /** Numbers with the other mark, in a column that is known to have one. */
  const others = notSeen();
  /** Words that were taken for no value, and how often. */
  const wordsTaken = new Map<string, number>();
  /** The first number that was read by a mark that nothing had proved. */
  let doubtful: Seen['first'] = null;

  function readNumber(written: string, line: number): number | null {
    if (style.as === 'text') return null;
    const text = written.trim();
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
    const own = markBetween(text);
    if (own === null || (own === ',' && delimiter === ',' && mark !== ',')) return;
    if (own === 'either') {
      if (mark === null && numbers.first)
        throw undecided(line, `holds ${quote(text)}, which has three decimals or is above 1,000`);
      mark ??= text.includes(',') ? ',' : '.';
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

  /** Between commas, a point stands before decimals, unless everything stands in quotes. */
  function markBetween(text: string): ReturnType<typeof markOf> {
    const own = markOf(text);
    const isPoint = own === 'either' && delimiter === ',' && quoting !== 'nothing' && !text.includes(',');
    return isPoint ? '.' : own;
  }

  function undecided(line: number, why: string) {
    return new SettingNeeded(
      'decimal_mark',
      `line ${line}: ${quote(name)} ${why}. Say which is the decimal mark [decimal_mark=. or decimal_mark=,]. Nothing was imported.`,
    );
  }

  /** In a column of texts, quotes and words such as "-" say what they say. */
  const isMissing = (text: string) => missing.has(text, style.numeric !== 'no' && style.as !== 'text');
  /** Whether words in quotes may stand for no value, too, as loggers write them among numbers. */
  const quoted = quoting !== 'own' && style.numeric === 'yes' && style.as !== 'text' && !style.verbatim;
  const take = (word: string) => void wordsTaken.set(word, (wordsTaken.get(word) ?? 0) + 1);

  function readWord(text: string): Word {
    if (text === '') return undefined;
    const known = isMissing(text);
    if (known === 'known') return KNOWN;
    if (known) return undefined;
    const boolean = style.as === 'text' ? null : readBoolean(text);
    return boolean ?? text;
  }

  return {
    read(cell, line) {
      const { text } = cell;
      if (text === '' && !cell.quoted) return undefined;
      if ((style.verbatim && text !== '') || isTextInQuotes(cell, style, context)) {
        if (quoted && (text === '' || isMissing(text) !== false)) {
          if (text !== '') take(text);
          return undefined;
        }
        see(texts, text, line);
        return checkedText(name, text);
      }
      if (missing.isChosen(text)) return undefined;
      const number = readNumber(text, line);
      if (number !== null) {
        see(numbers, text, line);
        return finite(number, text);
      }
      const word = readWord(text);
      if (word === undefined) return undefined;
      if (typeof word === 'object') {
        take(text);
        return undefined;
      }
      if (typeof word === 'boolean') return word;
      see(texts, text, line);
      return checkedText(name, text);
    },

    word: readWord,
    isMissingQuoted: (text) => quoted && (text === '' || isMissing(text) !== false),

    plain() {
      const known = style.as !== 'text' && numbers.first !== null;
      return {
        numbers: known && !missing.chosen ? (firm && fractions && mark) || 'whole' : 'none',
        texts: texts.first !== null,
        only: style.verbatim ? 'verbatim' : style.as === 'text' ? 'texts' : null,
        quotedNumbers: style.as === 'number',
      };
    },

    saw(moreNumbers, moreTexts) {
      numbers.count += moreNumbers;
      texts.count += moreTexts;
    },

    notes() {
      const notes: string[] = [];
      if (wordsTaken.size > 0) notes.push(takenNote(name, wordsTaken));
      if (doubtful && !firm && !style.unsure)
        notes.push(
          `${quote(name)} holds ${quote(doubtful.text)} in line ${doubtful.line}, which has three decimals or is above 1,000, and nothing in it tells which; the ${mark === ',' ? 'comma' : 'point'} stands before decimals here.`,
        );
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

const MOST_WORDS = 5;

/** Says which words were taken for no value, the most frequent first. */
function takenNote(name: string, taken: ReadonlyMap<string, number>): string {
  const words = [...taken].toSorted(([, a], [, b]) => b - a);
  const all = words.reduce((sum, [, times]) => sum + times, 0);
  const listed = words.slice(0, MOST_WORDS).map(([word]) => quote(word));
  return `${countOf(all, 'field')} of ${quote(name)} ${all === 1 ? 'is' : 'are'} taken for no value: ${listed.join(', ')}${words.length > MOST_WORDS ? ' and others' : ''}.`;
}
