import { notFound } from '../errors.ts';
import type {
  Metadata,
  StoredDevice,
  StoredFunction,
  StoredKey,
  StoredProject,
  StoredWidget,
} from '../store/metadata/metadata-schema.ts';

/** Whatever the path parameters of an operation name. */
export interface FoundParts {
  readonly project?: StoredProject;
  readonly device?: StoredDevice;
  readonly function?: StoredFunction;
  readonly widget?: StoredWidget;
  readonly key?: StoredKey;
}

/** The path parameters that operations have. */
export type PathParameters = Partial<
  Record<'project_id' | 'device_id' | 'function_id' | 'widget_id' | 'key_id', string>
>;

/** Finds what the path names, or throws a 404 Refusal. What belongs to another project than the path's is not found. */
export function find(state: Metadata, path: PathParameters): FoundParts {
  const { project_id, device_id, function_id, widget_id, key_id } = path;
  const found: { -readonly [Part in keyof FoundParts]: FoundParts[Part] } = {};
  if (project_id !== undefined) found.project = rowOf(state.projects, project_id, 'Project');
  if (device_id !== undefined) found.device = rowOf(state.devices, device_id, 'Device', project_id);
  if (function_id !== undefined) found.function = rowOf(state.functions, function_id, 'Function', project_id);
  if (widget_id !== undefined) found.widget = rowOf(state.widgets, widget_id, 'Widget', project_id);
  if (key_id !== undefined) found.key = rowOf(state.api_keys, key_id, 'API key');
  return found;
}

function rowOf<Row extends object>(
  table: Readonly<Record<string, Row>>,
  id: string,
  label: string,
  project_id?: string,
): Row {
  const row = table[id];
  const elsewhere = row && 'project_id' in row && project_id !== undefined && row.project_id !== project_id;
  if (!row || elsewhere) throw notFound(label);
  return row;
}
