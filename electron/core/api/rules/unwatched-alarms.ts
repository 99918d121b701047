import { alarmState } from '#shared/domain/alarms.ts';
import type { StoredAlarm, StoredProject } from '../../store/metadata/metadata-schema.ts';
import type { WritableTables } from '../../store/metadata/metadata.ts';
import { endOpenAlarms } from '../alarms/end-alarms.ts';
import { isSilenced } from '../alarms/rule-rows.ts';
import type { Context } from '../context.ts';
import { isWatched } from './live-rules.ts';

type Of = Pick<Context, 'metadata' | 'clock'>;

/** An alarm that was ended, with what is said of that. */
interface EndedAlarm {
  readonly project: StoredProject;
  readonly device_id: string;
  readonly changed: readonly StoredAlarm[];
  readonly hasNotes: boolean;
}

/**
 * Ends open alarms whose device is not watched any more, as of a tag that was taken away, of some projects or (null) all. Yields the
 * alarms of each, and those that it ended.
 */
export async function* endUnwatched(
  projects: ReadonlySet<string> | null,
  { metadata, clock }: Of,
): AsyncGenerator<{ readonly alarms: readonly StoredAlarm[]; readonly ended: readonly EndedAlarm[] }> {
  const lists = projects === null ? [{}] : [...projects].map((project_id) => ({ project_id }));
  for (const having of lists) {
    const rows = await metadata.read((tables) => tables.list('alarms', having));
    yield { alarms: rows, ended: [] };
    for (const row of rows) {
      if (alarmState(row) !== 'open' || (await metadata.read((tables) => isWatched(tables, row)))) continue;
      const at = clock.now();
      const ended = await metadata.change((tables) => endOne(tables, row.id, at));
      if (ended) yield { alarms: ended.changed, ended: [ended] };
    }
  }
}

async function endOne(tables: WritableTables, id: string, at: number): Promise<EndedAlarm | null> {
  const row = await tables.get('alarms', id);
  if (!row || (await isWatched(tables, row))) return null;
  const rule = await tables.get('functions', row.function_id);
  const isQuiet = rule !== null && isSilenced(rule, at);
  const { notes } = await endOpenAlarms(tables, [row], { at, isQuiet });
  const project = await tables.get('projects', row.project_id);
  const after = await tables.get('alarms', id);
  const { device_id } = row;
  return project && after && { project, device_id, changed: [after], hasNotes: notes.size > 0 };
}
