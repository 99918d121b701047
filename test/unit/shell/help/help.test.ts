import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showAbout } from '../../../../electron/shell/help/about.ts';
import { boundDumps, MOST_DUMPS } from '../../../../electron/shell/help/crash-dumps.ts';
import { helpItems } from '../../../../electron/shell/help/help-items.ts';
import { licencesFile } from '../../../../electron/shell/help/licences-file.ts';
import { logged, settled } from '../fakes.ts';

vi.mock('electron', () => ({ BrowserWindow: {}, screen: {} }));

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'fieldbench-help-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A person who presses a button, by its number. */
function person(response: number) {
  const boxes: { message: string; detail: string; buttons: string[] }[] = [];
  const dialog = {
    showMessageBox: (...args: unknown[]) => {
      boxes.push(args.at(-1) as (typeof boxes)[number]);
      return Promise.resolve({ response, checkboxChecked: false });
    },
  };
  return { dialog, boxes };
}

test('About says version and date, and leads to licences and documentation', async () => {
  const opened: string[] = [];
  const openDocs = () => void opened.push('docs');
  const openLicences = () => void opened.push('licences');
  const versions = { electron: '45.4.1', chrome: '150.0', node: '24.21.0' };
  for (const response of [0, 1, 2]) {
    const { dialog, boxes } = person(response);
    await showAbout({ dialog, openDocs, openLicences, day: '2026-11-26', versions });
    expect(boxes[0]?.message).toMatch(/^Fieldbench \d+\.\d+\.\d+$/);
    expect(boxes[0]?.detail).toMatch(/26 November 2026[^]*Electron 45\.4\.1[^]*MIT License/);
    expect(boxes[0]?.buttons).toEqual(['OK', 'Documentation', 'Licences']);
  }
  expect(opened).toEqual(['docs', 'licences']);
});

test('the licences are beside an installed program, on a Mac in the app, and beside the page of a built one', () => {
  const at = (isPackaged: boolean, platform: NodeJS.Platform, program: string) =>
    licencesFile({ isPackaged, platform, program, renderer: '/clone/out/renderer' });
  expect(at(true, 'linux', '/opt/fieldbench/fieldbench')).toBe('/opt/fieldbench/licences.txt');
  expect(at(true, 'win32', 'C:\\Apps\\Fieldbench\\fieldbench.exe')).toBe(
    'C:\\Apps\\Fieldbench\\licences.txt',
  );
  expect(at(true, 'darwin', '/Applications/Fieldbench.app/Contents/MacOS/Fieldbench')).toBe(
    '/Applications/Fieldbench.app/Contents/Resources/licences.txt',
  );
  expect(at(false, 'linux', '/usr/bin/electron')).toBe(join('/clone/out/renderer', 'licences.txt'));
});

test('About names no date where nobody knows it', async () => {
  const { dialog, boxes } = person(0);
  await showAbout({ dialog, openDocs: () => {}, openLicences: () => {}, day: null });
  expect(boxes[0]?.detail).toMatch(/^With Electron/);
});

/** A crash dump of so many days ago, as Crashpad keeps it. */
function dump(kind: string, name: string, days: number): void {
  mkdirSync(join(folder, kind), { recursive: true });
  const at = new Date(Date.UTC(2026, 10, 26) - days * 86_400_000);
  for (const ending of ['dmp', 'meta']) {
    const path = join(folder, kind, `${name}.${ending}`);
    writeFileSync(path, '');
    utimesSync(path, at, at);
  }
}

test('of crash dumps the newest stay, wherever Crashpad has them, and none that is being written goes', () => {
  const { lines, log } = logged();
  for (let days = 0; days < 7; days++) {
    dump('pending', `a${days}`, 2 * days);
    dump('completed', `b${days}`, 2 * days + 1);
  }
  dump('new', 'half', 400);
  writeFileSync(join(folder, 'settings.dat'), '');
  boundDumps(folder, log);
  const left = ['pending', 'completed'].flatMap((kind) => readdirSync(join(folder, kind)));
  expect(left.filter((name) => name.endsWith('.dmp')).toSorted()).toEqual(
    ['a0', 'a1', 'a2', 'a3', 'a4', 'b0', 'b1', 'b2', 'b3', 'b4'].map((name) => `${name}.dmp`),
  );
  expect(left).toHaveLength(2 * MOST_DUMPS);
  expect([existsSync(join(folder, 'new/half.dmp')), existsSync(join(folder, 'settings.dat'))]).toEqual([
    true,
    true,
  ]);
  // Whoever looks into the log of an app that ended by itself finds out where to look next.
  expect(lines).toEqual([expect.stringContaining(folder)]);
});

test('without a crash nothing is said of dumps', () => {
  const { lines, log } = logged();
  boundDumps(join(folder, 'Crashpad'), log);
  mkdirSync(join(folder, 'Crashpad/pending'), { recursive: true });
  boundDumps(join(folder, 'Crashpad'), log);
  expect(lines).toEqual([]);
});

test('Help finds log and crash dumps, and asks a feed only where a file names one', async () => {
  const shown: string[] = [];
  const { lines, log } = logged();
  const { dialog, boxes } = person(0);
  const options = {
    logFile: '/logs/fieldbench.log',
    dumps: '/profile/Crashpad',
    feed: join(folder, 'fieldbench-updates.txt'),
    fetch: () => Promise.reject(new Error('net::ERR_INTERNET_DISCONNECTED')),
    shell: {
      openPath: (path: string) => (shown.push(path), Promise.resolve('')),
      showItemInFolder: (path: string) => void shown.push(path),
    },
    dialog,
    clipboard: { writeText: () => Promise.resolve() },
    log,
  };
  const items = helpItems(options);
  items.showLog();
  items.showDumps();
  expect([shown, items.checkForUpdates]).toEqual([['/logs/fieldbench.log', '/profile/Crashpad'], null]);

  writeFileSync(options.feed, 'https://updates.example.org/fieldbench.json\n');
  helpItems(options).checkForUpdates?.();
  await vi.waitUntil(() => boxes.length > 0);
  await settled();
  expect(boxes[0]?.detail).toContain('ERR_INTERNET_DISCONNECTED');
  expect(lines).toEqual([expect.stringContaining('https://updates.example.org/fieldbench.json')]);
});
