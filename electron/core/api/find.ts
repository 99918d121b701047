import type { OperationId, Operations } from '#shared/operations/index.ts';
import { parametersOf } from '#shared/schema/path-parameters.ts';
import { andThen, type Awaitable } from '../base/awaitable.ts';
import { notFound } from '../base/errors.ts';
import type { Row, TableName } from '../store/metadata/metadata-schema.ts';
import type { Tables } from '../store/metadata/metadata.ts';

/** A path parameter: what handlers call the row that it names, the row's table, and what people call it. */
type Named = readonly [name: string, table: TableName, label: string];

const NAMED = {
  account_id: ['account', 'accounts', 'Account'],
  project_id: ['project', 'projects', 'Project'],
  device_id: ['device', 'devices', 'Device'],
  function_id: ['function', 'functions', 'Function'],
  widget_id: ['widget', 'widgets', 'Widget'],
  key_id: ['key', 'api_keys', 'API key'],
  note_id: ['note', 'notes', 'Note'],
  alarm_id: ['alarm', 'alarms', 'Alarm'],
  correction_id: ['correction', 'corrections', 'Correction'],
  view_id: ['view', 'views', 'View'],
  undo_id: ['kept', 'kept_deletes', 'Delete'],
  /** Of what is in memory: its handler finds it. */
  request_id: null,
  /** Of a world, which its handler knows. */
  snapshot: null,
  simulator_id: null,
  upload_id: null,
} as const satisfies Record<ParameterIn<Operations[OperationId]['path']>, Named | null>;

/** Type of what `parametersOf` reads. */
type ParameterIn<Path extends string> = Path extends `${infer Step}/${infer Rest}`
  ? ParameterOf<Step> | ParameterIn<Rest>
  : ParameterOf<Path>;
type ParameterOf<Step extends string> = Step extends `:${infer Name}` ? Name : never;

type PathParameter = {
  [P in keyof typeof NAMED]: (typeof NAMED)[P] extends null ? never : P;
}[keyof typeof NAMED];

type RowsNamedBy<Parameter extends PathParameter> = {
  readonly [P in Parameter as (typeof NAMED)[P][0]]: Row<(typeof NAMED)[P][1]>;
};

/** Rows that a path names. */
export type Found<Path extends string> = RowsNamedBy<ParameterIn<Path> & PathParameter>;

/** The parameters of each path that was asked for. */
const known = new Map<string, readonly PathParameter[]>();

function parametersIn(path: string): readonly PathParameter[] {
  let parameters = known.get(path);
  if (!parameters) {
    parameters = (parametersOf(path) as (keyof typeof NAMED)[]).filter(
      (name): name is PathParameter => NAMED[name] !== null,
    );
    known.set(path, parameters);
  }
  return parameters;
}

/**
 * Finds what the path names, or throws a 404 Refusal; what belongs to another project or device than the path's is not found. Only
 * the path's own parameters are looked at: a body may carry an id that its handler checks.
 */
export function find<Path extends string>(
  tables: Tables,
  path: Path,
  input: unknown,
): Awaitable<Found<Path>> {
  const parameters = parametersIn(path);
  const ids = input as Readonly<Record<PathParameter, string>>;
  const found: Record<string, Row<TableName>> = {};

  function findFrom(at: number): Awaitable<Found<Path>> {
    const parameter = parameters[at];
    if (parameter === undefined) return found as Found<Path>;
    const [name, table, label] = NAMED[parameter];
    return andThen(tables.get(table, ids[parameter]) as Awaitable<Row<TableName> | null>, (row) => {
      const isElsewhere =
        parameters.includes('project_id') && row && 'project_id' in row && row.project_id !== ids.project_id;
      if (!row || isElsewhere) throw notFound(label);
      if (found['device'] && 'device_id' in row && row.device_id !== found['device'].id)
        throw notFound(label);
      found[name] = row;
      return findFrom(at + 1);
    });
  }
  return findFrom(0);
}
