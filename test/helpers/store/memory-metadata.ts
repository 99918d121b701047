import { setImmediate as turn } from 'node:timers/promises';
import { StoreError } from '#core/base/errors.ts';
import {
  firstMetadata,
  TABLE_NAMES,
  type PendingDeletion,
  type Row,
  type TableName,
} from '#core/store/metadata/metadata-schema.ts';
import type { Metadata, WritableTables } from '#core/store/metadata/metadata.ts';
import { systemRandom } from '#core/base/system-random.ts';
import type { DeletionAct } from '#core/store/metadata/tables/net-change.ts';
import { headAfter, NO_LINES } from '#core/store/trail/chain.ts';
import type { RowChange } from '#core/store/trail/row-changes.ts';
import { TrailDraft } from '#core/store/trail/trail-draft.ts';
import type { StoredLine } from '#core/store/trail/trail.ts';

/** A row of any table, as far as questions go. */
interface AnyRow {
  readonly id: string;
  readonly sequence: number;
  readonly hash?: string;
  readonly token_hash?: string;
  readonly sources?: readonly { readonly device_id: string }[];
}
interface State {
  readonly settings: { readonly installation_id: string; readonly default_account_id: string };
  sequence: number;
  deletions: PendingDeletion[];
  /** None is changed where it stands, so that what is read keeps the rows of its moment. */
  readonly rows: Record<TableName, AnyRow[]>;
}

/**
 * Metadata without any skill: a copy of every value, which is a Promise that takes a turn of the event loop, as a
 * database's would be. Whoever forgets to wait for one fails on it.
 */
export function createMemoryMetadata(): Metadata {
  const first = firstMetadata(0, systemRandom);
  let state: State = {
    settings: first.settings,
    sequence: first.next_sequence,
    deletions: [],
    rows: {
      accounts: [],
      projects: [],
      devices: [],
      api_keys: [],
      functions: [],
      widgets: [],
      key_settings: [],
      notes: [],
      alarms: [],
      corrections: [],
      correction_history: [],
      views: [],
      kept_deletes: [],
      preferences: [],
    },
  };
  state.rows.accounts.push(...first.rows('accounts'));
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;
  const told: string[] = [];

  return {
    notes: [],
    trail: {
      first: 1,
      head: () => headAfter(NO_LINES, told),
      lines: () => placed([...told]),
      linesBack: () => placed(told.toReversed()),
    },
    async read(look) {
      await turn();
      return look(tablesOf(state));
    },
    async change(work, origin) {
      if (closed) throw new StoreError('closed', 'The service is stopping: nothing was changed.');
      const earlier = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      try {
        await earlier;
        const next = copyOf(state);
        const draft = new TrailDraft(headAfter(NO_LINES, told), () => 0);
        draft.begin(origin);
        const acts: DeletionAct[] = [];
        const result = await work(tablesOf(next, { draft, acts }));
        await turn();
        await draft.tellRows(changesBetween(state, next), acts);
        draft.keep();
        told.push(...draft.lines);
        state = next;
        return result;
      } finally {
        resolve();
      }
    },
    async close() {
      closed = true;
      await last;
    },
  };
}

/** Lists of its own, of the same rows. */
function copyOf(state: State): State {
  const rows = Object.fromEntries(Object.entries(state.rows).map(([table, list]) => [table, [...list]]));
  return { ...state, deletions: [...state.deletions], rows: rows as State['rows'] };
}

/** Rows that came, went or changed, whatever was done to them meanwhile. */
function changesBetween(before: State, after: State): RowChange[] {
  return TABLE_NAMES.flatMap((table) => {
    const [was, is] = [before.rows[table], after.rows[table]].map(
      (rows) => new Map(rows.map((row) => [row.id, row])),
    );
    const ids = new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])]);
    return [...ids]
      .map((id) => ({ table, id, before: was?.get(id) ?? null, after: is?.get(id) ?? null }))
      .filter(({ before: one, after: other }) => one !== other);
  });
}

async function* placed(lines: readonly string[]): AsyncGenerator<StoredLine> {
  for (const text of lines) yield { text, place: 'memory' };
}

/** What a change tells the audit trail beside its rows. */
interface Telling {
  readonly draft: TrailDraft;
  readonly acts: DeletionAct[];
}

function tablesOf(state: State, telling?: Telling): WritableTables {
  const after = async <T>(value: () => T): Promise<T> => {
    await turn();
    return structuredClone(value());
  };
  const rowsOf = <Name extends TableName>(table: Name) => state.rows[table] as unknown as Row<Name>[];
  const find = <Name extends TableName>(table: Name, id: string) =>
    rowsOf(table).find((row) => row.id === id) ?? null;
  const having = (table: TableName, wanted: object) =>
    state.rows[table].filter((row) =>
      Object.entries(wanted).every(
        ([field, value]) =>
          row[field as keyof AnyRow] === value ||
          (field === 'device_id' && row.sources?.some(({ device_id }) => device_id === value)),
      ),
    );
  return {
    get: (table, id) => after(() => find(table, id)),
    list: <Name extends TableName>(table: Name, wanted: object = {}) =>
      after(() => having(table, wanted) as unknown as Row<Name>[]),
    count: (table, wanted = {}) => after(() => having(table, wanted).length),
    held: (table, ids) => after(() => ids.filter((id) => find(table, id) !== null)),
    keyByHash: (hash) => after(() => rowsOf('api_keys').find((key) => key.hash === hash) ?? null),
    deviceByTokenHash: (hash) =>
      after(() => rowsOf('devices').find((device) => device.token_hash === hash) ?? null),
    senderByTokenHash: (hash) =>
      after(() => {
        const device = rowsOf('devices').find(({ token_hash }) => token_hash === hash);
        const project = device && find('projects', device.project_id);
        return device && project ? { account_id: project.account_id, device } : null;
      }),
    settings: () => after(() => state.settings),
    deletions: () => after(() => state.deletions),
    versionOf: () => null,
    insert: <Name extends TableName>(table: Name, row: object) =>
      after(() => {
        const made = { ...structuredClone(row), sequence: state.sequence++ } as Row<Name>;
        if (find(table, made.id)) throw new TypeError(`${table} holds ${made.id} already`);
        rowsOf(table).push(made);
        return made;
      }),
    putBack: (table, row) =>
      after(() => {
        if (find(table, row.id)) throw new TypeError(`${table} holds ${row.id} already`);
        state.rows[table].push(structuredClone(row));
        state.rows[table].sort((a, b) => a.sequence - b.sequence);
      }),
    patch: (table, id, fields) =>
      after(() => {
        const rows = state.rows[table];
        const place = rows.findIndex((row) => row.id === id);
        if (place < 0) return null;
        const given = Object.entries(structuredClone(fields)).filter(([, value]) => value !== undefined);
        rows[place] = { ...rows[place], ...Object.fromEntries(given) } as AnyRow;
        return find(table, id);
      }),
    remove: (table, id) =>
      after(() => {
        const place = state.rows[table].findIndex((row) => row.id === id);
        if (place >= 0) state.rows[table].splice(place, 1);
        return place >= 0;
      }),
    tell: (event) => after(() => telling?.draft.tell(event) ?? 0),
    noteDeletion: (deletion) =>
      after(() => {
        telling?.acts.push({ note: structuredClone(deletion) });
        state.deletions.push(structuredClone(deletion));
      }),
    crossOutDeletion: ({ kind, project_id, device_ids }) =>
      after(() => {
        telling?.acts.push({ cross_out: { kind, project_id, device_ids: device_ids.slice(0, 1) } });
        state.deletions = state.deletions.filter(
          (each) =>
            each.kind !== kind || each.project_id !== project_id || each.device_ids[0] !== device_ids[0],
        );
      }),
  };
}
