import type { Database } from '../store/postgres/connection/connections.ts';
import { PARTS } from '../store/postgres/upkeep/old-notes.ts';

/** Records of a device that wait to be sealed: services that keep up have less: they seal from 512 to 639 (store/postgres/upkeep/sealed-at.ts). */
const LONG_TAIL = 1024;
/** Such a tail has waited for many seals. */
const TOO_LONG_TAIL = 8 * LONG_TAIL;

const TAILS = `SELECT coalesce(max(tail_rows), 0)::bigint AS longest, count(*) FILTER (WHERE tail_rows > ${LONG_TAIL}) AS long
  FROM device_head WHERE tail_rows > 0`;
const NOTES = `SELECT sum(pg_total_relation_size(name::regclass))::bigint AS bytes FROM unnest($1::text[]) AS name`;
/** Leases that nobody has renewed for long, though services run. */
const LATE = `SELECT name FROM upkeep WHERE until < now() - interval '2 hours'
  AND EXISTS (SELECT 1 FROM service WHERE seen > now() - interval '1 minute')`;

/** How the upkeep of a lab's database goes, by what would grow without it. */
export interface Upkeep {
  readonly facts: readonly string[];
  readonly faults: readonly string[];
}

/** Looks at it, changing nothing; the tables are those of this version. Rejects as every question does. */
export async function upkeepOf(database: Database): Promise<Upkeep> {
  const [tails] = await database.ask<{ longest: number; long: number }>(TAILS);
  const names = Array.from({ length: PARTS }, (_, part) => `outcome_${part}`);
  const [notes] = await database.ask<{ bytes: number }>(NOTES, [names]);
  const late = await database.ask<{ name: string }>(LATE);
  const { longest, long } = tails ?? { longest: 0, long: 0 };
  return {
    facts: [
      `At most ${longest} records of a device wait to be sealed; of ${long} devices more than ${LONG_TAIL}.`,
      `The notes of changes take ${Math.ceil((notes?.bytes ?? 0) / 1e6)} MB.`,
    ],
    faults: [
      ...(longest > TOO_LONG_TAIL
        ? [`${longest} records of a device wait to be sealed: no service keeps up with that. See its log.`]
        : []),
      ...late.map(({ name }) => FAULT[name]).filter((fault) => fault !== undefined),
    ],
  };
}

const FAULT: Readonly<Record<string, string>> = {
  notes:
    'The notes of changes were not emptied for two hours: something holds a lock on their tables (outcome_0 to outcome_2), such as a backup.',
  garbage:
    'Removed records were not cleaned up for two hours: something holds a lock on their tables, such as a backup.',
};
