import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isBuilt } from '../../../scripts/lib/build.mjs';
import { CLI } from '../../../scripts/lib/project.mjs';
import { askToStop, openRunning } from '../../../scripts/lib/running.mjs';
import { startServiceProcess } from '../../helpers/service/service-process.ts';

/* npm start while the app runs already, as the built command line has it. */

let folder: string;
let said: string[];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fieldbench-running-'));
  said = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

describe.skipIf(!isBuilt())('npm start', () => {
  const start = (args: readonly string[] = []) =>
    startServiceProcess({ directory: folder, cli: [process.execPath, CLI], args });

  test('brings up what runs on the same data directory, with an address that opens it', async () => {
    const service = await start();
    expect(await openRunning(['--vault', 'memory', `--data=${folder}`], { open: false })).toBe(0);
    const [, address = ''] = /(http\S+)/.exec(said.join('\n')) ?? [];
    expect((await fetch(address, { redirect: 'manual' })).status).toBe(303);
    expect(said.join('\n')).toMatch(/^Fieldbench runs already: /);
    await service.stop();
  });

  test('says why it cannot where the service has no console', async () => {
    const service = await start(['--strict']);
    expect(await openRunning(['--data', folder], { open: false })).toBe(3);
    expect(said.join('\n')).toMatch(/^fieldbench: This service has no console/);
    await service.stop();
  });

  test('leaves it to a start where none runs, and where only help is wanted', async () => {
    expect(await openRunning(['--data', folder], { open: false })).toBeNull();
    expect(await openRunning(['--help'], { open: false })).toBeNull();
    expect(said).toEqual([]);
  });

  test('stops what it started where it cannot pass on a signal', async () => {
    const service = await start();
    await askToStop(['--data', folder]);
    expect(await service.stop()).toBe(0);
  });
});
