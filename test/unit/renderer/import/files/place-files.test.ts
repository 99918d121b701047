import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Inspection } from '#shared/operations/records/records.ts';
import { itemsOf, type FileItem } from '../../../../../renderer/import/files/file-items.ts';
import { inspectSample } from '../../../../../renderer/import/files/import-sample.ts';
import { addFiles, placeTogether, removeItem } from '../../../../../renderer/import/files/look-at-files.ts';
import { place } from '../../../../../renderer/import/files/place-files.ts';

vi.mock(import('../../../../../renderer/import/files/import-sample.ts'), { spy: true });
vi.mock(import('../../../../../renderer/bridge/bridge.ts'), () => ({}));
vi.mock(import('../../../../../renderer/bridge/ask.ts'), async (load) => ({
  ...(await load()),
  ask: vi.fn(() => Promise.resolve([])) as never,
}));

const at = (number: number): FileItem => itemsOf('p')[number]!;

/** Adds files, whose first letter says their kind, and waits until they were looked at. */
async function add(names: readonly string[], device_id: string | null = null): Promise<void> {
  addFiles(
    'p',
    names.map((name) => new File([''], name)),
    device_id,
  );
  await new Promise<void>((resolve) => void setImmediate(resolve));
}

beforeEach(() => {
  vi.mocked(inspectSample).mockImplementation((file, choices) => {
    const inspection = { columns: [{ name: file.name[0] }], problem: 'Choose the column of time.' };
    return Promise.resolve({ inspection: inspection as unknown as Inspection, choices });
  });
  for (const { id } of itemsOf('p')) removeItem('p', id);
});

describe('files of a kind go into one device', () => {
  const targets = () => itemsOf('p').map(({ target }) => (target.kind === 'new' ? target.name : target));

  test('which is called after what their names have in common', async () => {
    await add(['a_2026-10-01.csv', 'a_2026-10-02.csv', 'b.csv']);
    expect(targets()).toEqual(['a_2026-10-01', 'a_2026-10-02', 'b']);
    placeTogether('p', at(1).id, true);
    expect(targets()).toEqual(['a', 'a', 'b']);
    place('p', at(0).id, { kind: 'new', name: 'Pump 7' });
    expect(targets()).toEqual(['Pump 7', 'Pump 7', 'b']);
    // One that comes later is of them.
    await add(['a_2026-10-03.csv']);
    expect(targets()).toEqual(['Pump 7', 'Pump 7', 'b', 'Pump 7']);
    place('p', at(3).id, { kind: 'device', device_id: 'd' });
    expect(targets()).toEqual([
      { kind: 'device', device_id: 'd' },
      { kind: 'device', device_id: 'd' },
      'b',
      { kind: 'device', device_id: 'd' },
    ]);
  });

  test('also one that is there, and what comes later; what is dropped on another goes there', async () => {
    const devices = () =>
      itemsOf('p').map(({ target }) => (target.kind === 'device' ? target.device_id : ''));
    await add(['a1', 'a2'], 'd');
    place('p', at(1).id, { kind: 'device', device_id: 'c' });
    expect(devices()).toEqual(['d', 'c']);
    placeTogether('p', at(0).id, true);
    await add(['a3'], 'd');
    await add(['a4'], 'e');
    await add(['a5']);
    expect(devices()).toEqual(['d', 'd', 'd', 'e', 'd']);
    place('p', at(4).id, { kind: 'device', device_id: 'f' });
    expect(devices()).toEqual(['f', 'f', 'f', 'e', 'f']);
  });

  test('or each into its own again', async () => {
    await add(['a1.csv', 'a2.csv', 'a3.csv']);
    placeTogether('p', at(0).id, true);
    placeTogether('p', at(1).id, false);
    expect(targets()).toEqual(['a1', 'a2', 'a3']);
    place('p', at(0).id, { kind: 'new', name: 'mine' });
    expect(targets()).toEqual(['mine', 'a2', 'a3']);
  });
});
