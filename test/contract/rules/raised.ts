import { randomUUID } from 'node:crypto';
import { parseInstant } from '#shared/values/time.ts';
import type { RunningService } from '../../helpers/service/running-service.ts';
import { anAlarm } from '../../suites/metadata/rows.ts';

/** A rule that watches nothing. */
export const A_RULE = {
  name: 'Too hot',
  type: 'rule',
  condition: {
    when: { key: 'temperature', above: 85 },
    devices: { tag: 'of none' },
    acts: [{ do: 'webhook', url: 'https://example.org/alarms' }],
  },
} as const;

/** An alarm that somebody may acknowledge, of a rule that was deleted since. It ends so late that no clock of a test makes it go. */
export async function raised(
  { metadata }: Partial<Pick<RunningService, 'metadata'>>,
  of: { readonly project_id: string; readonly device_id: string },
): Promise<string> {
  if (!metadata) return 'none';
  const id = randomUUID();
  const begin = parseInstant('2026-03-02T20:32:21.202946Z') ?? 0;
  const end = parseInstant('2150-01-01T00:00:00Z');
  const { acts, ...alarm } = anAlarm(id, { ...of, function_id: randomUUID() });
  const at = { since: begin, start: begin, fired: begin, raised: begin, end };
  const named = acts.map((act) => ({ ...act, key: 'raised' }));
  await metadata.change((tables) => tables.insert('alarms', { ...alarm, ...at, acts: named }));
  return id;
}
