import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { runCli } from '../../helpers/service/service-process.ts';
import { WORKER_SCRIPT } from '../../helpers/service/scripts.ts';
import { readWorkbook, type ReadWorkbook } from '../../helpers/files/workbooks.ts';
import { isLeftOut } from '../../helpers/left-out.ts';
import { createWorld, dataOf, type World } from '../world.ts';

/* docs/local-api.md, "Import and export": a workbook of a device, or of several, through the real doors. */

const noPython = isLeftOut('workbooks of a service', ['python3']);

let service: RunningService;
let world: World;
let device: string;

beforeAll(async () => {
  service = await runService({ workerScript: WORKER_SCRIPT });
});
afterAll(() => service.stop());
beforeEach(async () => {
  world = await createWorld(service);
  device = `/_local/v1/projects/${world.project_id}/devices/${world.device_id}`;
});

async function get(query: string) {
  const response = await fetch(
    `${service.service.http_url ?? service.service.base_url}${device}/records?format=xlsx${query}`,
    { headers: { authorization: `Bearer ${service.service.api_key}` } },
  );
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

const rowsOf = ({ sheets }: ReadWorkbook, name: string) =>
  sheets.find((sheet) => sheet.name === name)?.rows.map((row) => row.map(([, , value]) => value));

async function makeSecond(name: string): Promise<string> {
  const made = await service.request('POST', `/v2/projects/${world.project_id}/devices`, {
    body: { name, source: 'http' },
  });
  const { id, metadata } = made.envelope.data as unknown as {
    id: string;
    metadata: { device_token: string };
  };
  const body = Array.from({ length: 90_000 }, (_, n) => ({
    timestamp: 1_772_483_421_000 + n * 1000,
    bar: n / 8,
  }));
  for (let at = 0; at < body.length; at += 30_000)
    await service.request('POST', '/integrations/http', {
      key: metadata.device_token,
      body: body.slice(at, at + 30_000),
    });
  return id;
}

describe.skipIf(noPython)('a workbook', () => {
  test('has a sheet of the device, its notes, its corrections, and says what it is of', async () => {
    await service.request('POST', `${device}/notes`, {
      body: { start: '2026-03-02T20:31:00Z', text: '=cmd|x\n2nd line' },
    });
    await service.request('POST', `${device}/corrections`, {
      body: { kind: 'calibration', key: 'temperature', points: [[20, 20.4]], reason: 'yearly' },
    });
    const { response, bytes } = await get('&titles=shown');
    expect(response.headers.get('content-type')).toBe(
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    );
    expect(response.headers.get('content-disposition')).toContain('ESP32_2026-03-02.xlsx');
    const book = await readWorkbook(bytes);
    expect(book.sheets.map(({ name }) => name)).toEqual(['ESP32', 'Notes', 'Corrections', 'About']);
    expect(rowsOf(book, 'ESP32')?.map((row) => row.slice(1))).toEqual([
      ['state', 'temperature', 'exact timestamp'],
      ['idle', '20.5', '2026-03-02T20:30:21.202946Z'],
      ['on', '21', '2026-03-02T20:31:21.202946Z'],
      ['22.25', '2026-03-02T20:32:21.202946Z'],
    ]);
    expect(rowsOf(book, 'Notes')?.flat()).toEqual(expect.arrayContaining(['=cmd|x\n2nd line']));
    expect(rowsOf(book, 'Corrections')?.flat()).toEqual(
      expect.arrayContaining(['calibration', 'temperature', '20 → 20.4', 'yearly']),
    );
    expect(rowsOf(book, 'About')).toEqual(
      expect.arrayContaining([
        ['project', 'Boiler room'],
        ['device', `ESP32 (${world.device_id})`],
        ['values', expect.stringMatching(/^raw: /)],
      ]),
    );
    expect(book.sheets.flatMap(({ rows }) => rows.flat()).filter(([, type]) => type === 'formula')).toEqual(
      [],
    );
  });

  test('has notes at the corrected times of their moments in the corrected view, and says so', async () => {
    await service.request('POST', `${device}/corrections`, {
      body: {
        kind: 'time',
        from: '2026-03-02T20:00:00Z',
        to: '2026-03-02T21:00:00Z',
        shift_us: -7_200_000_000,
      },
    });
    const told = async (query: string) => {
      const book = await readWorkbook((await get(query)).bytes);
      const about = rowsOf(book, 'About')?.find(([what]) => what === 'times of notes');
      return [rowsOf(book, 'Notes')?.[1]?.[1], about?.[1]];
    };
    const [raw, corrected] = [await told('&view=raw'), await told('&view=corrected')];
    expect([raw[1], corrected[1]]).toEqual(['as stored', 'corrected']);
    // A time in a workbook is a number of days.
    expect(Number(raw[0]) - Number(corrected[0])).toBeCloseTo(2 / 24, 6);
    const span = '&start=2026-03-02T18:00:00Z&end=2026-03-02T19:00:00Z';
    expect([(await told(`${span}&view=raw`))[0], (await told(`${span}&view=corrected`))[0]]).toEqual([
      undefined,
      corrected[0],
    ]);
  });

  test('is of the raw view or of the corrected one, and is called so', async () => {
    await service.request('POST', `${device}/corrections`, {
      body: { kind: 'calibration', key: 'temperature', points: [[20, 20.5]] },
    });
    const values = async (query: string) => {
      const { response, bytes } = await get(`&keys=temperature${query}`);
      const book = await readWorkbook(bytes);
      const column = rowsOf(book, 'ESP32')
        ?.slice(1)
        .map((row) => row[1]);
      return [
        column,
        rowsOf(book, 'About')?.[3]?.[1]?.slice(0, 3),
        response.headers.get('content-disposition'),
      ];
    };
    expect(await values('')).toEqual([
      ['20.5', '21', '22.25'],
      'raw',
      expect.stringContaining('ESP32_2026-03-02.xlsx'),
    ]);
    expect(await values('&view=corrected')).toEqual([
      ['21', '21.5', '22.75'],
      'cor',
      expect.stringContaining('ESP32_2026-03-02_corrected.xlsx'),
    ]);
  });

  test('of several devices has a sheet of each, and is the same from the command line', async () => {
    const second = await makeSecond('Oven: 2');
    const estimate = await dataOf(service, 'GET', `${device}/records/estimate?format=xlsx&also=${second}`);
    expect(estimate).toMatchObject({ records: 90_003 });
    const { response, bytes } = await get(`&also=${second}`);
    expect(response.headers.get('content-disposition')).toMatch(/Boiler room_2026-03-02_2026-03-03\.xlsx/);
    const book = await readWorkbook(bytes);
    expect(book.sheets.map(({ name, rows }) => [name, rows.length])).toEqual([
      ['ESP32', 4],
      ['Oven- 2', 90_001],
      ['Notes', 2],
      ['Corrections', 2],
      ['About', 8],
    ]);
    expect(rowsOf(book, 'Oven- 2')?.at(-1)?.slice(1)).toEqual([String(89_999 / 8)]);
    const folder = await mkdtemp(join(tmpdir(), 'fieldbench-xlsx-'));
    try {
      const file = join(folder, 'out.xlsx');
      const of = ['--data', service.directory, '--project', world.project_id, '--device', 'ESP32'];
      const run = await runCli([
        'records',
        'export',
        ...of,
        '--format=xlsx',
        '--also',
        'Oven: 2',
        '--out',
        file,
      ]);
      expect([run.code, run.stderr]).toEqual([0, '']);
      expect((await readFile(file)).equals(bytes)).toBe(true);
      const mistyped = await runCli([
        'records',
        'export',
        ...of,
        '--format=xlsx',
        '--also',
        'Oven',
        '--out',
        file,
      ]);
      expect([mistyped.code, mistyped.stderr]).toEqual([
        2,
        expect.stringMatching(/--also must be the name or id of a device of the project ".*", got "Oven"/),
      ]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

test('what changes it is another state: a note, a correction, a name, the records of any of its devices', async () => {
  const second = await makeSecond('Oven');
  const states: string[] = [];
  const state = async () => {
    const answer = await dataOf(service, 'GET', `${device}/records/estimate?format=xlsx&also=${second}`);
    states.push((answer as unknown as { readonly state: string }).state);
  };
  await state();
  await service.request('POST', `${device}/notes`, { body: { start: '2026-03-02T20:31:00Z', text: 'a' } });
  await state();
  await service.request('POST', `/_local/v1/projects/${world.project_id}/devices/${second}/corrections`, {
    body: { kind: 'derived', key: 'double', of: 'bar * 2' },
  });
  await state();
  await service.request('DELETE', `/_local/v1/projects/${world.project_id}/devices/${second}/records`);
  await state();
  expect(new Set(states).size).toBe(4);
});

test('a device of another project is not to be had beside it', async () => {
  const made = await service.request('POST', `/v2/projects/${world.other_project_id}/devices`, {
    body: { name: 'Roof', source: 'http' },
  });
  const { id } = made.envelope.data as unknown as { id: string };
  const { response, bytes } = await get(`&also=${id}`);
  expect(response.status).toBe(400);
  expect(bytes.toString()).toContain(`also: there is no device \\"${id}\\" in this project`);
});
