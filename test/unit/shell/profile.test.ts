import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dataDirectory } from '#core/cli/serve/configure.ts';
import { openLogFile, olderLog } from '../../../electron/shell/start/log-file.ts';
import { keepProfile, keepSpareProfile, removeOldProfile } from '../../../electron/shell/start/profile.ts';
import { FakeApp, logged } from './fakes.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'fieldbench-profile-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function keep(data: string, platform?: NodeJS.Platform) {
  const app = new FakeApp();
  app.paths['appData'] = join(folder, 'config');
  const profile = keepProfile(app, data, platform);
  expect(app.paths['userData']).toBe(profile.directory);
  return profile;
}

test('the window’s own files are not in the data', () => {
  const data = join(folder, 'data');
  const { directory } = keep(data);
  expect(existsSync(directory)).toBe(true);
  expect(relative(data, directory).split(sep)[0]).toBe('..');
});

test('each data directory has a profile, whichever path leads to it', () => {
  const data = join(folder, 'data');
  const first = keep(data);
  symlinkSync(data, join(folder, 'link'));
  expect(keep(join(folder, 'link'))).toEqual(first);
  expect(keep(`${data}${sep}..${sep}data`)).toEqual(first);
  expect(keep(join(folder, 'other')).directory).not.toBe(first.directory);
});

test('to Windows, which ignores case, two spellings of a data directory are one', () => {
  const [upper, lower] = [join(folder, 'RIG'), join(folder, 'rig')];
  expect(keep(upper, 'win32')).toEqual(keep(lower, 'win32'));
  expect(keep(upper, 'linux')).not.toEqual(keep(lower, 'linux'));
});

test('its path leaves Chromium room within the 260 letters of Windows, and is not where an installer may clear up', () => {
  const { directory } = keep(join(folder, 'a'.repeat(200)));
  const below = relative(join(folder, 'config'), directory);
  expect(below.length).toBeLessThan(50);
  // %LOCALAPPDATA%\Fieldbench and the folder of the app's name are what installers think theirs.
  expect(below.split(sep)[0]).toBe('Fieldbench Desktop');
  expect(dataDirectory(null).split(sep)).not.toContain('Fieldbench Desktop');
});

test('a data directory that cannot be made is named, and the flag that chooses another', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => keep(join(folder, 'file', 'data'))).toThrow(/data directory .*file.*--data/);
});

test('a profile that cannot be made is named', () => {
  writeFileSync(join(folder, 'config'), '');
  expect(() => keep(join(folder, 'data'))).toThrow(/Fieldbench Desktop.* permission/);
});

/** What an earlier version's window left in the data, or somebody else. */
function leftIn(data: string, ...names: string[]): string {
  const old = join(data, 'window');
  mkdirSync(join(old, 'Cache'), { recursive: true });
  for (const name of names) writeFileSync(join(old, name), '');
  return old;
}

test('a start that knows no data directory yet has a profile beside those that do, and one without a folder has one too', () => {
  const app = new FakeApp();
  app.paths['appData'] = join(folder, 'config');
  const stepAside = keepSpareProfile(app);
  const spare = app.paths['userData'] ?? '';
  expect([existsSync(spare), relative(join(folder, 'config', 'Fieldbench Desktop'), spare)]).toEqual([
    true,
    'starts',
  ]);
  const { directory } = keepProfile(app, join(folder, 'data'));
  stepAside();
  expect([app.paths['userData'], spare === directory]).toEqual([spare, false]);
  writeFileSync(join(folder, 'file'), '');
  app.paths['appData'] = join(folder, 'file');
  keepSpareProfile(app);
  expect(existsSync(app.paths['userData'] ?? '')).toBe(true);
  rmSync(app.paths['userData'] ?? '', { recursive: true });
});

test('what an earlier version’s window left in the data is removed, and nothing else', async () => {
  const { lines, log } = logged();
  const old = leftIn(folder, 'Local State', 'Cookies');
  writeFileSync(join(folder, 'metadata.json'), '{}');
  await removeOldProfile(folder, log);
  expect([existsSync(old), existsSync(join(folder, 'metadata.json'))]).toEqual([false, true]);
  expect(lines).toEqual([expect.stringContaining(old)]);
  await removeOldProfile(folder, log);
  expect(lines).toHaveLength(1);
});

test('a folder of that name that is no profile stays', async () => {
  const old = leftIn(folder, 'notes.txt');
  await removeOldProfile(folder, logged().log);
  expect(existsSync(join(old, 'notes.txt'))).toBe(true);
});

test('a link of that name is removed, not what it leads to', async () => {
  const data = join(folder, 'data');
  const elsewhere = leftIn(folder, 'Local State');
  mkdirSync(data);
  symlinkSync(elsewhere, join(data, 'window'));
  await removeOldProfile(data, logged().log);
  expect([existsSync(join(data, 'window')), existsSync(elsewhere)]).toEqual([false, true]);
});

test('the log keeps its newest lines, in order, within its bounds', () => {
  const file = join(folder, 'logs', 'fieldbench.log');
  const said: string[] = [];
  const MOST = 100;
  let write = openLogFile(file, (line) => void said.push(line), MOST);
  const lines = Array.from({ length: 50 }, (_, n) => `line ${n}\n`);
  for (const [n, line] of lines.entries()) {
    // It goes on where another run ended.
    if (n % 7 === 0) write = openLogFile(file, (text) => void said.push(text), MOST);
    write(line);
  }
  expect(said).toEqual(lines);
  const [older, newer] = [readFileSync(olderLog(file), 'utf8'), readFileSync(file, 'utf8')];
  expect(lines.join('').endsWith(older + newer)).toBe(true);
  expect(Math.max(older.length, newer.length)).toBeLessThanOrEqual(MOST);
  expect(older.length + newer.length).toBeGreaterThan(MOST);
});

test('a log that cannot be written is said once, every line still, and it goes on when it can be', () => {
  const file = join(folder, 'fieldbench.log');
  mkdirSync(file);
  const said: string[] = [];
  const write = openLogFile(file, (line) => void said.push(line));
  write('one\n');
  write('two\n');
  expect(said).toEqual(['one\n', expect.stringContaining('cannot be written'), 'two\n']);
  rmSync(file, { recursive: true });
  write('three\n');
  expect(readFileSync(file, 'utf8')).toBe('three\n');
});

test('a log that cannot be turned over grows to twice its size, and is turned over when it can be', () => {
  const file = join(folder, 'fieldbench.log');
  const said: string[] = [];
  const write = openLogFile(file, (line) => void said.push(line), 20);
  // As on Windows, while somebody looks at it.
  mkdirSync(join(olderLog(file), 'in the way'), { recursive: true });
  const lines = Array.from({ length: 6 }, (_, n) => `line ${n}..\n`);
  for (const line of lines) write(line);
  expect(readFileSync(file, 'utf8')).toBe(lines.slice(0, 4).join(''));
  expect(said.filter((line) => line.includes('cannot be written'))).toHaveLength(1);
  rmSync(olderLog(file), { recursive: true });
  write('line 6..\n');
  expect(readFileSync(file, 'utf8')).toBe('line 6..\n');
  expect(readFileSync(olderLog(file), 'utf8')).toBe(lines.slice(0, 4).join(''));
});
