import type { Doubt, FileSettings } from '#shared/operations/records/records.ts';
import { badRequest } from '../../base/errors.ts';
import { checkedTime, RecordFault } from '../../ingest/record.ts';
import { parseInstant, type Micros } from '#shared/values/time.ts';
import { quote } from '#shared/values/validate.ts';
import { countOf } from '#shared/values/counts.ts';
import type { CsvRow } from '../text/csv.ts';
import { SettingNeeded } from '../setting-needed.ts';
import { readEither } from '../text/number-text.ts';
import { notSeen, see } from '../text/seen.ts';
import { looksLikeDays } from './days.ts';
import { createLocalTime } from './local-time.ts';
import { createRowZones } from './row-zones.ts';
import type { SaidZone } from './said-zone.ts';
import type { TimeHints } from './guess-time.ts';
import { TimeWatch } from './time-watch.ts';
import { timeText, type TimeColumn } from './time-column.ts';
import { describeForm, NAMES_OF_KINDS } from './describe-time.ts';
import {
  doubtsOfDate,
  doubtsOfEpoch,
  doubtsOfKind,
  doubtsOfOrder,
  doubtsOfSaidZone,
  doubtsOfZone,
  FIRST_OF,
  noteOfSaidZone,
} from './time-doubts.ts';
import { dateParts, epochUnit, isDateOnly, ORDERS, readTime } from './time-format.ts';

/** `zone` is "UTC" when absent. */
export type TimeSettings = Pick<FileSettings, 'zone' | 'started' | 'date_order'> & Pick<TimeHints, 'now'>;

/** Reads the times of the rows of a file, in their order. */
export interface RowTimes {
  /** Throws RecordFault where a row has none, and a 400 Refusal where it shows that rows before it were misread. */
  read(row: CsvRow): Micros;
  notes(): string[];
  /** What may be read wrongly, as far as rows have shown. */
  doubts(): Doubt[];
  /** For who reads the same times from bytes; null where each row must be read as text. */
  readonly plain: PlainTimes | null;
}

/** The kinds that are read from bytes, too; years of two digits are passed on as text there. */
const PLAIN_KINDS: ReadonlySet<TimeColumn['format']['kind']> = new Set(['calendar', 'epoch', 'elapsed']);

/** What `read` does behind the form of a time: the two may be used in turns, as the rows come. */
export interface PlainTimes {
  readonly column: TimeColumn;
  /** Added to a time that says its zone or counts from the start. */
  readonly start: Micros;
  /** Whether a date whose day or month is above 12 must be read as text, since it tells their order. */
  readonly unsure: () => boolean;
  /** Whether an elapsed time is none before that of the last row; otherwise it must be read as text, since people are told. */
  readonly rises: (time: Micros) => boolean;
  /** Of times that say no zone. */
  readonly toInstant: (wall: Micros) => Micros;
  /** Of times that do not count from the start. */
  readonly watch: TimeWatch | null;
}

/**
 * `name` is what the file calls its column of times, for messages. Throws a 400 Refusal on a zone or start that is none,
 * and where elapsed times have no start.
 */
export function createRowTimes(column: TimeColumn, name: string, settings: TimeSettings): RowTimes {
  const said = saidBeside(column.said, settings.zone);
  const { started, zone = said?.sure === true ? said.zone : undefined } = settings;
  const local = createLocalTime(zone ?? 'UTC');
  const zoneOfRow = said?.column ? createRowZones(said.column) : null;
  const { format } = column;
  const start = format.kind === 'elapsed' ? startOf(started, name, column.example, zone) : 0;
  const order = format.kind === 'calendar' ? format.order : null;
  /** Whether a date that reads one way only has yet to say whether the order was guessed rightly. */
  let unsure = column.ambiguous;
  const isShort = format.kind === 'calendar' && format.short === true;
  const datesOnly = isDateOnly(column.example);
  let before: string | null = null;
  let sameDate = 0;
  const far = notSeen();
  const back = notSeen();
  const watch = format.kind === 'elapsed' ? null : new TimeWatch(format.kind === 'epoch', settings.now);
  /** Of elapsed times, which only rise: that of the row before. */
  let elapsed = -Infinity;

  if (column.kindNeeded)
    throw new SettingNeeded(
      'time_kind',
      `The numbers of ${quote(name)}, such as ${quote(column.example)}, may be dates written as digits or ${NAMES_OF_KINDS[column.otherKinds[0] ?? 'date']}, and too few rows tell which. Say what they are [time_kind=date or time_kind=${column.otherKinds[0]}].`,
    );

  /** Throws where a date tells that those before it were read the wrong way round. */
  function checkOrder(text: string, line: number): void {
    const date = dateParts(text);
    if (date?.short === true && isShort) checkShort(text, line);
    if (!date || date.yearFirst || date.short || (date.first <= 12 && date.second <= 12)) return;
    const proved = date.first > 12 ? 'day-first' : 'month-first';
    if (proved !== order)
      throw new SettingNeeded(
        'date_order',
        `line ${line}: ${name} holds ${quote(text)}, which has the ${proved === 'day-first' ? 'day' : 'month'} first, and the dates before it were taken to have the ${proved === 'day-first' ? 'month' : 'day'} first. Say that the ${FIRST_OF[proved]} is first [date_order=${proved}]. Nothing was imported.`,
      );
    unsure = false;
  }

  /** The same for years of two digits, which no place gives away. */
  function checkShort(text: string, line: number): void {
    if (readTime(text, format)) return;
    const proved = ORDERS.find((other) => readTime(text, { kind: 'calendar', order: other, short: true }));
    if (proved)
      throw new SettingNeeded(
        'date_order',
        `line ${line}: ${name} holds ${quote(text)}, which cannot be read as the dates before it, with the ${FIRST_OF[order ?? 'day-first']} first. Say that the ${FIRST_OF[proved]} is first [date_order=${proved}]. Nothing was imported.`,
      );
  }

  return {
    read({ cells, line }) {
      const text = timeText(column, (index) => cells[index]?.text.trim() ?? '');
      if (unsure) checkOrder(text, line);
      if (datesOnly) {
        if (text === before) sameDate++;
        before = text;
      }
      const written = readTime(text, format);
      if (!written)
        throw new RecordFault(
          `${name} must be a time like ${quote(column.example)}${describeForm(format)}, got ${quote(text)}`,
        );
      if (isFar(text, format)) see(far, text, line);
      if (format.kind === 'elapsed') {
        if (written.time < elapsed) see(back, text, line);
        elapsed = written.time;
      }
      const time = written.zoned
        ? written.time + start
        : (zoneOfRow?.(cells) ?? local).toInstant(written.time);
      checkedTime(time, text);
      watch?.see(time, written.time, text, line);
      return time;
    },

    plain:
      zoneOfRow || datesOnly || column.half !== null || !PLAIN_KINDS.has(format.kind) || isShort
        ? null
        : {
            column,
            start,
            unsure: () => unsure,
            rises(time) {
              if (time < elapsed) return false;
              elapsed = time;
              return true;
            },
            toInstant: (wall) => local.toInstant(wall),
            watch,
          },

    doubts: () => [
      ...doubtsOfOrder(column, name, unsure),
      ...doubtsOfDate(name, sameDate),
      ...doubtsOfKind(column, name),
      ...doubtsOfEpoch(column, name),
      ...(column.zoneNeeded ? doubtsOfSaidZone(name, said) : []),
      ...doubtsOfZone(name, zone, local.change),
    ],

    notes() {
      const notes: string[] = [];
      if (column.zoneNeeded && said?.sure) notes.push(noteOfSaidZone(said));
      if (column.zoneNeeded && zone === undefined)
        notes.push('The times say no zone and none was chosen, so they are taken as UTC.');
      if (far.first)
        notes.push(
          `${quote(name)} holds ${countOf(far.count, 'number')} far ${format.kind === 'days' ? 'from' : 'smaller than'} the others, which ${far.count === 1 ? 'is a time' : 'are times'} ${format.kind === 'days' ? 'of other decades' : 'near 1970'}; the first is ${quote(far.first.text)} in line ${far.first.line}.`,
        );
      if (back.first)
        notes.push(
          `${quote(name)} goes back ${countOf(back.count, 'time')}, first to ${quote(back.first.text)} in line ${back.first.line}: rows from there on may be of another recording, or none of it.`,
        );
      notes.push(
        ...(watch?.notes(name, !column.zoneNeeded || zone !== undefined || zoneOfRow !== null) ?? []),
      );
      if (local.skipped > 0)
        notes.push(
          `${countOf(local.skipped, 'time lies', 'times lie')} in an hour that clocks in ${zone} skipped, and moved forward by it.`,
        );
      if (local.repeated > 0)
        notes.push(
          `${countOf(local.repeated, 'time lies', 'times lie')} in an hour that clocks in ${zone} went through twice: the first pass counts until the times step back or, where rows are an hour apart, come again.`,
        );
      return notes;
    },
  };
}

/** The zone that the file says, where none was chosen; where an unsure one was said, the choice with what else it may be. */
function saidBeside(said: SaidZone | null, chosen: string | undefined): SaidZone | null {
  if (said === null || chosen === undefined) return said;
  return said.sure || said.others.includes(chosen) ? null : { ...said, zone: chosen };
}

/** Whether a number is none that its column was judged by, as one of a footer is. */
function isFar(text: string, format: TimeColumn['format']): boolean {
  if (format.kind === 'days') return !looksLikeDays([readEither(text, format.mark ?? '.') ?? NaN]);
  return format.kind === 'epoch' && format.only && epochUnit(Number(text.replace(',', '.'))) === null;
}

/** The instant that elapsed times count from. */
function startOf(
  started: string | undefined,
  name: string,
  example: string,
  zone: string | undefined,
): Micros {
  const rule =
    'a date and time such as "2026-03-02T20:30:00Z", or without "Z" in the time zone that was said';
  if (started === undefined)
    throw badRequest(
      `The times of ${quote(name)}, such as ${quote(example)}, count from the start of the recording. Say when that was [started=…]: ${rule}; or what they are else [time_kind=…].`,
    );
  const instant = readStart(started, zone);
  if (instant === null)
    throw badRequest(`The start of the recording [started=…] must be ${rule}, got ${quote(started)}`);
  return instant;
}

/** Reads when a recording began; null where the text is no date and time. */
function readStart(started: string, zone: string | undefined): Micros | null {
  const instant = parseInstant(started);
  if (instant !== null) return instant;
  const written = readTime(started, { kind: 'calendar', order: 'year-first' });
  if (!written || /^\d+$/.test(started)) return null;
  return written.zoned ? written.time : createLocalTime(zone ?? 'UTC').toInstant(written.time);
}
