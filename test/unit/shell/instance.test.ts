import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEnding } from '../../../electron/shell/end/ending.ts';
import { RemediableError } from '../../../electron/shell/end/failure.ts';
import { heedOtherStarts, isOnlyInstance, saidInstead } from '../../../electron/shell/start/instance.ts';
import { FakeApp, logged, settled } from './fakes.ts';

let profile: string;
beforeEach(() => void (profile = mkdtempSync(join(tmpdir(), 'fieldbench-instance-'))));
afterEach(() => rmSync(profile, { recursive: true, force: true }));

const ARGV = ['fieldbench', '--port', '0'];
/** No process has it: larger than the largest. */
const GONE = 4_194_305;

test('the first one hears the words of the next', () => {
  const app = new FakeApp();
  expect(isOnlyInstance(app, profile, ARGV, 'linux')).toBe(true);
  expect(app.asked).toEqual([['lock', { args: ['--port', '0'] }]]);
});

test('a second one leaves when the first has the lock', () => {
  const app = new FakeApp();
  app.onlyInstance = false;
  symlinkSync(`${hostname()}-4711`, join(profile, 'SingletonLock'));
  expect(isOnlyInstance(app, profile, ARGV, 'linux')).toBe(false);
});

test('a folder where the lock cannot be made is told, and what it needs', () => {
  const app = new FakeApp();
  app.onlyInstance = false;
  expect(() => isOnlyInstance(app, profile, ARGV, 'darwin')).toThrow(/cannot make its lock .*symbolic links/);
  // Windows locks without a file.
  expect(isOnlyInstance(app, profile, ARGV, 'win32')).toBe(false);
});

test('a second start says which of its flags do nothing', () => {
  const first = 'Fieldbench runs already over /rig: its window comes up.';
  expect(saidInstead('/rig', ['--data', '/rig'])).toBe(first);
  expect(saidInstead('/rig', ['--data=/rig', '--port', '0', '--strict'])).toBe(
    `${first} It goes on as it was started, without --port, --strict.`,
  );
});

/** What is thrown over a lock of this name. */
function refusal(holder: string): unknown {
  const app = new FakeApp();
  app.onlyInstance = false;
  symlinkSync(holder, join(profile, 'SingletonLock'));
  try {
    return isOnlyInstance(app, profile, ARGV, 'linux');
  } catch (error) {
    return error;
  }
}

test('a lock of another computer, or of an earlier name of this one, can be taken away', () => {
  const error = refusal(`rig-7-${GONE}`) as RemediableError;
  expect(error).toBeInstanceOf(RemediableError);
  expect(error.message).toMatch(/on the computer rig-7.*SingletonLock/);
  error.remedy.apply();
  expect(existsSync(join(profile, 'SingletonLock'))).toBe(false);
});

test('a lock under an earlier name whose app still runs here stays', () => {
  const error = refusal(`rig-7-${process.pid}`);
  expect(error).not.toBeInstanceOf(RemediableError);
  expect(String(error)).toMatch(/since this computer was called rig-7, as process \d+/);
});

function heeding(show: () => Promise<void> = async () => {}) {
  const app = new FakeApp();
  const ending = createEnding(logged().log);
  const failures: unknown[] = [];
  const opened: string[] = [];
  let shown = 0;
  heedOtherStarts(
    app,
    ending,
    () => {
      shown++;
      return show();
    },
    (error) => failures.push(error),
    (paths) => opened.push(...paths),
    ['fieldbench', '--port', '0'],
  );
  return { app, ending, failures, opened, shown: () => shown };
}

test('a second start and a click in the Dock show the window', () => {
  const { app, shown } = heeding();
  app.emit('second-instance', {}, [], '/', null);
  app.emit('activate');
  expect([shown(), app.asked]).toEqual([2, []]);
});

test('a file that another start was given is opened here', () => {
  const { app, opened, shown } = heeding();
  const file = join(profile, 'plot 1.csv');
  writeFileSync(file, '');
  const none = join(profile, 'none.csv');
  app.emit('second-instance', {}, [], profile, { args: ['--port', '0', file, none, 'plot 1.csv'] });
  expect([shown(), opened]).toEqual([1, [file, none, file]]);
});

test('a Mac’s app that is given a file shows a window for it, and comes back with it where it ends just then', () => {
  const { app, ending, shown } = heeding();
  app.emit('open-file', {}, '/rig/a.csv');
  expect([shown(), app.asked]).toEqual([1, []]);
  void ending.run();
  app.emit('open-file', {}, '/rig/b.csv');
  expect([shown(), app.asked]).toEqual([1, [['relaunch', { args: ['--port', '0', '/rig/b.csv'] }]]]);
});

test('a start while the app ends brings it back once it has ended, with the words of that start', () => {
  const { app, ending, shown } = heeding();
  ending.of(new Promise(() => {}));
  void ending.run(1);
  app.emit('second-instance', {}, ['sorted', 'by', 'Chromium'], '/', { args: ['--port', '0'] });
  app.emit('second-instance', {}, [], '/', { args: ['--port', '1'] });
  app.emit('activate');
  expect([shown(), app.asked]).toEqual([0, [['relaunch', { args: ['--port', '0'] }]]]);
});

test('it comes back where that start was, whose paths may be relative, and is itself where it was', () => {
  const own = process.cwd();
  const { app, ending } = heeding();
  let at = '';
  app.relaunch = () => void (at = process.cwd());
  void ending.run();
  app.emit('second-instance', {}, [], realpathSync(profile), { args: ['--data', './rig'] });
  expect([at, process.cwd()]).toEqual([realpathSync(profile), own]);
});

test('it comes back where it is when that folder is gone', () => {
  const { app, ending } = heeding();
  void ending.run();
  app.emit('second-instance', {}, [], join(profile, 'gone'), null);
  expect(app.asked).toEqual([['relaunch']]);
});

test.each([null, 'text', { args: 'text' }, { args: [1] }])(
  'words that are none (%j) are not passed on',
  (data) => {
    const { app, ending } = heeding();
    void ending.run();
    app.emit('second-instance', {}, [], '/', data);
    expect(app.asked).toEqual([['relaunch']]);
  },
);

test('a window that cannot be shown is a failure that somebody hears of', async () => {
  const { app, failures } = heeding(() => Promise.reject(new Error('no page')));
  app.emit('activate');
  await settled();
  expect(failures).toEqual([new Error('no page')]);
});
