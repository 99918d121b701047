import { clockChangeWords } from '#shared/domain/words/clock-change-words.ts';
import type { Doubt } from '#shared/operations/records/records.ts';
import { countOf } from '#shared/values/counts.ts';
import { quote } from '#shared/values/validate.ts';
import { NAMES_OF_KINDS } from './describe-time.ts';
import { kindOfFormat } from './guess-time.ts';
import type { LocalTime } from './local-time.ts';
import type { SaidZone } from './said-zone.ts';
import type { TimeColumn } from './time-column.ts';
import type { DateOrder } from './time-format.ts';

/** What an order of dates has first. */
export const FIRST_OF: Record<DateOrder, string> = {
  'day-first': 'day',
  'month-first': 'month',
  'year-first': 'year',
};

/** That dates can be read with their numbers in another order; `unsure`: whether no date has told it yet. */
export function doubtsOfOrder({ format, example }: TimeColumn, name: string, unsure: boolean): Doubt[] {
  if (!unsure) return [];
  if (format.kind === 'digits')
    return [
      {
        setting: 'date_order',
        options: ['full-year-first', 'year-first'],
        columns: [name],
        message: `The digits of ${quote(name)}, such as ${quote(example)}, are read as ${format.form}; years of two digits would fit them as well [date_order=year-first].`,
      },
    ];
  if (format.kind !== 'calendar') return [];
  const { order, short = false } = format;
  const orders: DateOrder[] = ['day-first', 'month-first', ...(short ? (['year-first'] as const) : [])];
  return [
    {
      setting: 'date_order',
      options: [order, ...orders.filter((other) => other !== order)],
      columns: [name],
      message: `Whether ${quote(example)} writes the day${short ? ', the month or the year' : ' or the month'} first cannot be told; the ${FIRST_OF[order]} is taken to be first.`,
    },
  ];
}

/** That the times of day are missing; `same`: how many rows have the date of the row before. */
export function doubtsOfDate(name: string, same: number): Doubt[] {
  if (same === 0) return [];
  return [
    {
      setting: 'time_column',
      options: [name],
      columns: [name],
      message: `${quote(name)} holds dates without a time of day, so that the rows of one date have one time: ${countOf(same, 'row has', 'rows have')} that of the row before.`,
    },
  ];
}

/** That numbers may be another kind of times. */
export function doubtsOfKind({ format, example, otherKinds }: TimeColumn, name: string): Doubt[] {
  const kind = kindOfFormat(format);
  if (otherKinds.length === 0) return [];
  return [
    {
      setting: 'time_kind',
      options: [kind, ...otherKinds],
      columns: [name],
      message: `The numbers of ${quote(name)}, such as ${quote(example)}, are taken for ${NAMES_OF_KINDS[kind]}; they may be something else, such as ${NAMES_OF_KINDS[otherKinds[0] ?? 'date']} [time_kind=${otherKinds[0]}].`,
    },
  ];
}

/** The note on the zone that a file says beside its times. */
export function noteOfSaidZone({ zone, by, column }: SaidZone): string {
  return column
    ? `The times are of the zone that ${by} says in each row.`
    : `The times are of ${zone}, as ${by} says.`;
}

/** That what is said of the zone may mean another one. */
export function doubtsOfSaidZone(name: string, said: SaidZone | null): Doubt[] {
  if (!said || said.others.length === 0) return [];
  const { zone, others, by, column, sure } = said;
  return [
    {
      setting: 'zone',
      options: [zone, ...others],
      columns: [name, ...(column ? [column.name] : [])],
      message: sure
        ? `What ${by} says of the zone of ${quote(name)} is read as ${zone}, all year; it may mean ${others.join(' or ')} as well.`
        : `${others.join(' and ')}, as ${by} has it, may be the zone of ${quote(name)}; its times are taken as ${zone}.`,
    },
  ];
}

/** That numbers may count from another day than 1970. */
export function doubtsOfEpoch({ format, example, epochs }: TimeColumn, name: string): Doubt[] {
  if (epochs === null) return [];
  const kind = kindOfFormat(format);
  const since = epochs.since.map(({ epoch, day }) => `of ${day} since ${epoch}`).join(', ');
  const more = [
    ...(since === ''
      ? []
      : [
          `They would be ${since}${epochs.kind ? `; for that say that they are ${NAMES_OF_KINDS[epochs.kind]} [time_kind=${epochs.kind}], and that the recording began on that day [started=${epochs.since[0]?.epoch}T00:00:00Z]` : ''}.`,
        ]),
    ...(epochs.steps
      ? [
          `Steps of 100 ns since ${epochs.steps.epoch} would be of ${epochs.steps.day}; these are not read: write them as dates.`,
        ]
      : []),
  ];
  return [
    {
      setting: 'time_kind',
      options: [kind, ...(epochs.kind ? [epochs.kind] : [])],
      columns: [name],
      message: [
        `The numbers of ${quote(name)}, such as ${quote(example)}, are taken for ${NAMES_OF_KINDS[kind]}, by which they are of ${epochs.read}.`,
        ...more,
      ].join(' '),
    },
  ];
}

/** That a logger's clock may not have been changed where those of its zone were; `change`: the offsets around that. */
export function doubtsOfZone(name: string, zone: string | undefined, change: LocalTime['change']): Doubt[] {
  if (change === null || zone === undefined) return [];
  return [
    {
      setting: 'zone',
      options: [zone, ...change],
      columns: [name],
      message: clockChangeWords(zone, ...change),
    },
  ];
}
