import type { Asker, Database } from '../connection/connections.ts';
import type { Micros } from '#shared/values/time.ts';
import { headAfter, type Head } from '../../trail/chain.ts';
import type { Event, Origin } from '../../trail/entry.ts';
import { TrailDraft } from '../../trail/trail-draft.ts';
import type { StoredLine, Trail } from '../../trail/trail.ts';

/** Bytes of one statement, about; its lines are at least one. */
const TOGETHER_BYTES = 4 << 20;
/** Lines that are read at once. */
const PAGE = 500;

const TELL = `INSERT INTO audit_line (n, line)
  SELECT n, line FROM unnest($1::bigint[], $2::text[]) AS told (n, line)`;
const HEAD = 'SELECT trail_n, trail_hash FROM metadata_state';
const AFTER = 'SELECT n, line FROM audit_line WHERE n > $1 AND n <= $2 ORDER BY n LIMIT $3';
const BEFORE = 'SELECT n, line FROM audit_line WHERE n < $1 ORDER BY n DESC LIMIT $2';

/** Adds lines behind a head, in the transaction of what they tell. */
export async function tellLines(asker: Asker, lines: readonly string[], { n }: Head): Promise<void> {
  for (let from = 0; from < lines.length;) {
    let to = from;
    let bytes = 0;
    while (to < lines.length && (to === from || bytes < TOGETHER_BYTES)) bytes += lines[to++]?.length ?? 0;
    const told = lines.slice(from, to);
    const first = n + from + 1;
    await asker.ask(TELL, [told.map((_, i) => first + i), told]);
    from = to;
  }
}

const HELD_HEAD = `${HEAD} FOR UPDATE`;
const MOVE_HEAD = 'UPDATE metadata_state SET trail_n = $1, trail_hash = $2';

/** Tells of a change that is none of the metadata, in its transaction. */
export async function tellBeside(
  asker: Asker,
  { origin, event, now }: { readonly origin: Origin; readonly event: Event; readonly now: Micros },
): Promise<void> {
  const head = headIn(await asker.ask<HeadRow>(HELD_HEAD));
  const draft = new TrailDraft(head, () => now);
  draft.begin(origin);
  draft.tell(event);
  draft.keep();
  await tellLines(asker, draft.lines, head);
  const next = headAfter(head, draft.lines);
  await asker.ask(MOVE_HEAD, [next.n, next.hash]);
}

interface HeadRow {
  readonly [column: string]: unknown;
  readonly trail_n: number;
  readonly trail_hash: string;
}

function headIn([state]: readonly HeadRow[]): Head {
  if (!state) throw new TypeError('metadata_state has no row');
  return { n: state.trail_n, hash: state.trail_hash };
}

interface Row {
  readonly [column: string]: unknown;
  readonly n: number;
  readonly line: string;
}

/** Returns the audit trail of a database; what one service tells the others read. */
export function databaseTrail(database: Database): Trail {
  const head = async () => headIn(await database.ask<HeadRow>(HEAD));

  /** What is told meanwhile is of the next look. */
  async function* lines(): AsyncGenerator<StoredLine> {
    const end = await lastNumber(database);
    for (let after = Number.MIN_SAFE_INTEGER; ;) {
      const rows = await database.ask<Row>(AFTER, [after, end, PAGE]);
      yield* rows.map(stored);
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) return;
      after = last.n;
    }
  }

  async function* linesBack(before = Number.MAX_SAFE_INTEGER): AsyncGenerator<StoredLine> {
    for (let from = before; ;) {
      const rows = await database.ask<Row>(BEFORE, [from, PAGE]);
      yield* rows.map(stored);
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) return;
      from = last.n;
    }
  }

  return { first: 1, head, lines, linesBack };
}

async function lastNumber(database: Database): Promise<number> {
  const [row] = await database.ask<{ readonly n: number | null }>('SELECT max(n) AS n FROM audit_line');
  return row?.n ?? 0;
}

const stored = ({ n, line }: Row): StoredLine => ({ text: line, place: `audit_line, n ${n}` });
