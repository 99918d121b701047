import type { Change, Named } from './entry.ts';
import { redactFields, redactText } from './redact.ts';

/** A row that changed; null: there was, or is, none. */
export interface RowChange {
  readonly table: string;
  readonly id: string;
  readonly before: object | null;
  readonly after: object | null;
}

/**
 * What the row of a delete keeps of other rows: the entry that told of their removal says them. What was done of an alarm: the alarm
 * says it.
 */
const OMITTED: Readonly<Record<string, readonly string[]>> = {
  kept_deletes: ['rows', 'trimmed'],
  alarms: ['acts'],
};

/** Returns what an entry says of a row, without secrets: all of one that came or went, else the fields that differ; null for none. */
export function changeOf({ table, id, before, after }: RowChange): Change | null {
  const [was, is] = [before && toldOf(table, before), after && toldOf(table, after)];
  if (!was || !is) {
    if (!was && !is) return null;
    return { after: is && redactFields(is), before: was && redactFields(was), id, table };
  }
  const differs = (name: string) => !isSame(was[name], is[name]);
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(differs);
  if (names.length === 0) return null;
  const only = (row: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(names.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])));
  return { after: redactFields(only(is)), before: redactFields(only(was)), id, table };
}

function toldOf(table: string, row: object): Readonly<Record<string, unknown>> {
  const omitted = OMITTED[table];
  if (!omitted) return row as Record<string, unknown>;
  return Object.fromEntries(Object.entries(row).filter(([name]) => !omitted.includes(name)));
}

/** Values of JSON, as they are written; a row that is deeper than the stack differs from any other. */
function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object') return false;
  try {
    return JSON.stringify(a) === JSON.stringify(b);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Projects, devices and data keys that rows are of. */
interface About {
  readonly projects: readonly Named[];
  readonly devices: readonly Named[];
  readonly keys: readonly string[];
}

/** Returns what rows are about, with the names that rows themselves say; `named`: what is named already. */
export function aboutOf(
  rows: readonly RowChange[],
  named: { readonly projects?: readonly Named[]; readonly devices?: readonly Named[] },
): About {
  const projects = new Map((named.projects ?? []).map((one) => [one.id, one]));
  const devices = new Map((named.devices ?? []).map((one) => [one.id, one]));
  const keys = new Set<string>();
  for (const { table, id, before, after } of rows)
    for (const row of [before, after]) {
      if (!row) continue;
      const { project_id, device_id, key, name, sources, what } = row as Partial<Record<string, unknown>>;
      if (table === 'projects') add(projects, id, name);
      if (table === 'devices') add(devices, id, name);
      if (typeof project_id === 'string') add(projects, project_id);
      if (typeof device_id === 'string') add(devices, device_id);
      if (typeof key === 'string') keys.add(redactText(key));
      // A correction of all keys is of none by name.
      for (const own of keysOf(what)) keys.add(redactText(own));
      if (table === 'widgets' && Array.isArray(sources))
        for (const source of sources as { device_id: string; key: string }[]) {
          add(devices, source.device_id);
          keys.add(redactText(source.key));
        }
    }
  return { projects: [...projects.values()], devices: [...devices.values()], keys: [...keys] };
}

/** A name wins over none, and a later one over an earlier. */
function add(all: Map<string, Named>, id: string, name?: unknown): void {
  if (typeof name === 'string') all.set(id, { id, name: redactText(name) });
  else if (!all.has(id)) all.set(id, { id });
}

/** The keys that a correction names. */
function keysOf(what: unknown): readonly string[] {
  if (typeof what !== 'object' || what === null) return [];
  const { key, keys } = what as Partial<Record<string, unknown>>;
  return [key, ...(Array.isArray(keys) ? (keys as readonly unknown[]) : [])].filter(
    (one) => typeof one === 'string',
  );
}
