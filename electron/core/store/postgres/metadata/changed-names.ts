import type { AnyRow } from '../../metadata/any-row.ts';
import type { StoredDevice, TableName } from '../../metadata/metadata-schema.ts';
import type { Layer } from '../../metadata/tables/layer.ts';

/** What changes did to credentials, by what these are remembered by. What is new nobody remembers. */
export interface ChangedNames {
  /** SHA-256 of secrets, in hex: the API keys and tokens that do not stand for the same any more. */
  readonly hashes: readonly string[];
  /** Projects all tokens of which do not stand for the same any more. */
  readonly projects: readonly string[];
}

/** Names of a change at most, of either kind. Of more tokens their projects are named; null stands for any. */
const MOST_NAMES = 2_000;

/** Returns what changes of rows name; null where it is too much. `before`: a row as it was, null for none. */
export function namesOf(
  rows: Layer,
  before: (table: TableName, id: string) => AnyRow | null,
): ChangedNames | null {
  const projects = new Set<string>();
  for (const [id, row] of rows.projects) {
    const was = before('projects', id);
    if (was && was.account_id !== row?.account_id) projects.add(id);
  }
  const keys = [...rows.api_keys.keys()].flatMap((id) => before('api_keys', id)?.hash ?? []);
  const tokens: StoredDevice[] = [];
  for (const [id, row] of rows.devices) {
    const was = before('devices', id) as StoredDevice | null;
    if (was && !isSameSender(was, row as StoredDevice | null) && !projects.has(was.project_id))
      tokens.push(was);
  }
  if (keys.length > MOST_NAMES) return null;
  if (keys.length + tokens.length > MOST_NAMES)
    for (const { project_id } of tokens.splice(0)) projects.add(project_id);
  if (projects.size > MOST_NAMES) return null;
  return { hashes: [...keys, ...tokens.map(({ token_hash }) => token_hash)], projects: [...projects] };
}

/** Whether the token of a device stands for the same as before (`Sender`). */
const isSameSender = (was: StoredDevice, now: StoredDevice | null) =>
  was.token_hash === now?.token_hash &&
  was.project_id === now.project_id &&
  was.source === now.source &&
  (was.decodes ?? false) === (now.decodes ?? false);
