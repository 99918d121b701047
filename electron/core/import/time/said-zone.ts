import { quote } from '#shared/values/validate.ts';
import { zoneInName } from './time-name.ts';
import { zoneInText, zoneOfOffset, zoneOfWord, type ZoneWord } from './zone-words.ts';

/** What a file says of the zone of its times, beside them. */
export interface SaidZone extends ZoneWord {
  /** What says it, for people. */
  readonly by: string;
  /** The column that says it in each row. */
  readonly column: ZoneColumn | null;
  /** Whether it is said of the times; otherwise it may be that of something else. */
  readonly sure: boolean;
}

export interface ZoneColumn {
  readonly index: number;
  readonly name: string;
  /** What numbers in it count. */
  readonly unit: 'h' | 'min' | 's';
}

interface Beside {
  /** The columns of a time, and of its time of day. */
  readonly time: readonly number[];
  readonly names: readonly string[];
  readonly texts: readonly (readonly string[])[];
  /** The fields of a row of units. */
  readonly units: readonly string[];
  /** The lines before the table. */
  readonly titles: readonly string[];
}

/** The zone that is said beside times which carry none: by a column, their own names, their units or a title; null for none. */
export function saidZone(beside: Beside): SaidZone | null {
  const found = [...inColumns(beside), ...inNames(beside), ...inTitles(beside)];
  const [first, ...others] = found.toSorted((a, b) => Number(b.sure) - Number(a.sure));
  if (!first || first.column) return first ?? null;
  // Where two say it differently, the nearer one counts and the other is told.
  const told = others.flatMap((other) => (other.column ? [] : [other.zone, ...other.others]));
  const all = [...new Set([...first.others, ...told.map(canonical)])];
  return { ...first, others: all.filter((zone) => zone !== canonical(first.zone)) };
}

/** An offset is written in several ways. */
const canonical = (zone: string) => zoneOfWord(zone)?.zone ?? zone;

const ZONE_COLUMN =
  /^(?:(?:time ?zone|tz)(?: ?(?:cd|code|id|name|abbr(?:eviation)?))?|zone|zeitzone|(?:(?:utc|gmt|tz|time ?zone) ?)?offset(?: ?(?:utc|gmt))?)(?: ?[([]?(?:hours?|h|min(?:utes)?|s|sec(?:onds)?)[)\]]?)?$/i;

function inColumns({ names, texts, time }: Beside): SaidZone[] {
  return names.flatMap((written, index) => {
    const name = written.replaceAll(/[_-]/g, ' ').trim();
    if (time.includes(index) || !ZONE_COLUMN.test(name)) return [];
    const own = (texts[index] ?? []).filter((text) => text !== '');
    const unit = unitOf(name, own);
    const column = { index, name: written, unit };
    const zones = own.map((text) => zoneInColumn(text, column));
    const [first] = zones;
    if (!first || zones.includes(null)) return [];
    // Where both of a pair stand, such as CET and CEST, each has its own meaning.
    const distinct = [...new Set(zones.map((zone) => zone?.zone))];
    const others = distinct.length > 1 ? [] : [...first.others, ...oppositeOf(own[0] ?? '', column)];
    return [{ zone: first.zone, others, by: `the column ${quote(written)}`, column, sure: true }];
  });
}

/** Minutes are counted to the west by some (ECMAScript), so that their sign may mean either. */
function oppositeOf(text: string, { unit }: ZoneColumn): string[] {
  const minutes = unit === 'min' ? Number(text) : 0;
  return minutes ? [zoneOfOffset(-minutes, 'min')?.zone ?? []].flat() : [];
}

/** What the name says, or the size of the numbers: hours up to 14, minutes up to 14 hours. */
function unitOf(name: string, texts: readonly string[]): ZoneColumn['unit'] {
  if (/\bs(?:ec(?:onds?)?)?\b/i.test(name)) return 's';
  if (/\bmin/i.test(name)) return 'min';
  if (/\bh(?:ours?)?\b/i.test(name)) return 'h';
  const most = Math.max(0, ...texts.slice(0, LOOKED_AT).map((text) => Math.abs(Number(text)) || 0));
  return most <= MOST_HOURS ? 'h' : most <= MOST_HOURS * 60 ? 'min' : 's';
}

const LOOKED_AT = 1000;
const MOST_HOURS = 14;

/** Names of columns whose numbers count from UTC; a zone alone may be one of a house. */
const COUNTED = /utc|gmt|tz|time[ _-]?zone|zeitzone/i;

/** The zone that a row says in such a column; null where it says none. */
export function zoneInColumn(text: string, { name, unit }: ZoneColumn): ZoneWord | null {
  if (!/^[+-]?\d+(?:\.\d+)?$/.test(text)) return zoneOfWord(text);
  // Four digits are hours and minutes where no unit is said.
  if (/^[+-]\d{4}$/.test(text) && unit !== 's') return zoneOfWord(text);
  return COUNTED.test(name) ? zoneOfOffset(Number(text), unit) : null;
}

function inNames({ names, units, time }: Beside): SaidZone[] {
  return time.flatMap((index) => {
    const name = names[index] ?? '';
    const zone = zoneInName(name);
    const word =
      zone === undefined ? (zoneInBrackets(name) ?? zoneOfWord(bare(units[index]))) : { zone, others: [] };
    return word ? [{ ...word, by: 'their column', column: null, sure: true }] : [];
  });
}

const bare = (text = '') => text.trim().replace(/^[([](.*)[)\]]$/, '$1');

/** "Time (PST)", "Zeit [MEZ]", "Date Time, EST" and "TIME EST". */
function zoneInBrackets(name: string): ZoneWord | null {
  const bracketed = [...name.matchAll(/[([]([^()[\]]+)[)\]]/g)].map(([, word = '']) => word);
  const last = /[,\s_]([A-Z]{3,4})$/.exec(name)?.[1] ?? [];
  return [...bracketed, last]
    .flat()
    .reduce<ZoneWord | null>((found, word) => found ?? zoneOfWord(word), null);
}

const OF_ZONES = /time ?zone|zeitzone|\btz\b|(?:utc|gmt) ?offset|fuseau|zona horaria/i;
const OF_TIMES = /\btimes?\b|\bzeit|\buhr|\bheures?\b|\bhoras?\b/i;

function inTitles({ titles }: Beside): SaidZone[] {
  return titles.flatMap((line, at): SaidZone[] => {
    const before = titles[at - 1] ?? '';
    // Names may stand in the line before.
    const named = OF_ZONES.test(before) && !zoneInText(before) ? /^/ : OF_ZONES;
    const said = named.exec(line);
    const word = said
      ? (zoneInText(line.slice(said.index + said[0].length)) ?? zoneInText(line))
      : zoneInText(line);
    if (!word) return [];
    const by = `line ${at + 1}`;
    if (said || OF_TIMES.test(line)) return [{ ...word, by, column: null, sure: true }];
    if (word.zone === 'UTC' || word.others.length > 0) return [];
    return [{ zone: 'UTC', others: [word.zone], by, column: null, sure: false }];
  });
}
