import { describe, expect, test } from 'vitest';
import type { RunningService } from '../../helpers/service/running-service.ts';
import { markOfContent, saysOf } from '#core/sync/row-says.ts';
import { dataOf } from '../world.ts';
import { device, fieldAndLab, here, lab, planned, project_id, run } from './field-and-lab.ts';

/* What a lab makes of rows that another service hands over (docs/local-api.md, "Sync"). */

fieldAndLab();

const project = () => `/_local/v1/projects/${project_id}`;
const notes = () => `${project()}/devices/${device.id}/notes`;
const make = (path: string, body: object, of = here) => dataOf(of, 'POST', path, body);
const list = async (path: string, of: RunningService) =>
  (await dataOf(of, 'GET', path)) as unknown as readonly { readonly id: string }[];
const pushed = async () => run(await planned());

const rule = (fields: object) => ({
  name: 'Too hot',
  type: 'rule',
  enabled: true,
  condition: { when: { key: 'temperature', above: 900 } },
  ...fields,
});
const NOTE = { start: '2026-03-02T20:00:00Z', end: '2026-03-02T21:00:00Z', text: 'filter changed' };

describe('a request of rows', () => {
  test('of which one is wrong has the others done, and says why', async () => {
    await pushed();
    const says = { device_id: device.id, ...NOTE, author: 'app', created: NOTE.start };
    const row = (id: string, fields: object, kind = 'notes') => ({
      kind,
      id,
      mark: '0'.repeat(16),
      base: null,
      says: { ...says, ...fields },
    });
    const rows = [
      row('n-1', { start: '1066-01-01T00:00:00Z' }),
      row('n-2', { end: '2026-03-02T19:00:00Z' }),
      row('n-3', { device_id: 'none' }),
      row('n-4', {}),
      row('n-5', {}, 'pictures'),
    ];
    const answer = (await make(`${project()}/sync/rows`, { rows }, lab)) as unknown as {
      outcomes: readonly { outcome: string; reason: string | null }[];
    };
    expect(answer.outcomes).toEqual([
      { outcome: 'refused', reason: expect.stringContaining('start must lie in the years 1700 to 2200') },
      { outcome: 'refused', reason: 'start must not be after end' },
      { outcome: 'refused', reason: expect.stringContaining('device_id must be the id of a device') },
      { outcome: 'added', reason: null },
      { outcome: 'refused', reason: expect.stringContaining('kind must be') },
    ]);
    expect((await list(notes(), lab)).map(({ id }) => id)).toEqual(['n-4']);
  });

  test('leaves a rule that cannot be as it comes as it is', async () => {
    const { id } = await make(`${project()}/functions`, rule({ device_id: device.id }));
    await pushed();
    const row = await lab.metadata.read((tables) => tables.get('functions', id));
    if (!row) throw new Error('the lab has the rule');
    const { compared } = saysOf('functions', row);
    const says = { ...compared, name: 'Other', device_id: 'none', silenced: null };
    const sent = { kind: 'functions', id, mark: '0'.repeat(16), base: markOfContent(compared), says };
    expect(await make(`${project()}/sync/rows`, { rows: [sent] }, lab)).toMatchObject({
      outcomes: [{ outcome: 'refused', reason: expect.stringContaining('device_id must be') }],
    });
    expect(await lab.metadata.read((tables) => tables.get('functions', id))).toEqual(row);
  });

  test('that is a dry run changes nothing', async () => {
    await pushed();
    const says = { device_id: device.id, ...NOTE, author: 'app', created: NOTE.start };
    const rows = [{ kind: 'notes', id: 'n', mark: '0'.repeat(16), base: null, says }];
    expect(await make(`${project()}/sync/rows`, { rows, dry_run: true }, lab)).toEqual({
      outcomes: [{ outcome: 'added', reason: null }],
    });
    expect(await list(notes(), lab)).toEqual([]);
  });
});
