import { EventEmitter } from 'node:events';
import type { PowerMonitor as ElectronPowerMonitor } from 'electron';
import { afterEach, expect, test, vi } from 'vitest';
import { createEnding } from '../../../electron/shell/end/ending.ts';
import {
  closeAtSessionEnd,
  closeBeforeQuit,
  quitWhenAsked,
  quitWithLastWindow,
} from '../../../electron/shell/end/quit.ts';
import { PowerMonitor } from '../../electron-stand-in/desktop/power-monitor.ts';
import { FakeApp, logged, preventable, settled } from './fakes.ts';

afterEach(() => void vi.useRealTimers());

/** A service whose close the test ends. */
function closable() {
  const closed = Promise.withResolvers<void>();
  let closes = 0;
  return { closed, closes: () => closes, close: () => (closes++, closed.promise) };
}

function ended() {
  const { lines, log } = logged();
  const ending = createEnding(log);
  const service = closable();
  ending.of(Promise.resolve(service));
  return { app: new FakeApp(), lines, ending, service };
}

test('quitting waits for the service, and then quits', async () => {
  const { app, ending, service } = ended();
  closeBeforeQuit(app, ending);
  const first = preventable();
  app.emit('will-quit', first);
  await settled();
  expect([first.prevented, ending.isUnderWay, service.closes(), app.asked]).toEqual([true, true, 1, []]);
  service.closed.resolve();
  await settled();
  expect(app.asked).toEqual([['quit']]);
  const second = preventable();
  app.emit('will-quit', second);
  expect(second.prevented).toBe(false);
});

test('a service that hangs, or does not even start, does not keep the app from ending', async () => {
  vi.useFakeTimers();
  for (const starting of [Promise.resolve(closable()), new Promise<never>(() => {})]) {
    const { lines, log } = logged();
    const ending = createEnding(log);
    ending.of(starting);
    const app = new FakeApp();
    closeBeforeQuit(app, ending);
    app.emit('will-quit', preventable());
    await vi.runAllTimersAsync();
    expect(app.asked).toEqual([['quit']]);
    expect(lines.join()).toContain('was not closed');
  }
});

test('a start that waits is ended with the app', async () => {
  const { lines, log } = logged();
  const ending = createEnding(log);
  // It ends as its signal says, and in no other way.
  const { signal } = ending;
  ending.of(
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  );
  await ending.run(3_600_000);
  expect(lines).toEqual([]);
  expect(signal.reason).toMatchObject({ name: 'StartError', code: 'stopped' });
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s, ten times together, is one quit', async (signal) => {
  const app = new FakeApp();
  const from = Object.assign(new EventEmitter(), { platform: 'linux' as const });
  quitWhenAsked(app, from);
  for (let time = 0; time < 10; time++) expect(from.emit(signal)).toBe(true);
  await settled();
  expect(app.asked).toEqual([['quit']]);
});

test('whoever asks for the end first, the service is closed once, and a failure of it is told', async () => {
  const { lines, ending, service } = ended();
  const both = Promise.all([ending.run(), ending.run(1000)]);
  await settled();
  service.closed.reject(new Error('no disk'));
  await both;
  expect(service.closes()).toBe(1);
  expect(lines).toEqual(['The service did not close well: no disk']);
});

test('a start that failed leaves nothing to close, and its end is quiet', async () => {
  const { lines, log } = logged();
  const ending = createEnding(log);
  ending.of(Promise.reject(new Error('port busy')));
  await ending.run();
  expect(lines).toEqual([]);
});

/** A session with a window, which a test ends. */
function inSession() {
  const around = ended();
  const power = new PowerMonitor();
  const window = new EventEmitter();
  closeAtSessionEnd(around.app, power as unknown as ElectronPowerMonitor, around.ending, logged().log);
  around.app.emit('browser-window-created', {}, window);
  return { ...around, power, window };
}

test('a shutdown of Windows is not prevented, and closes the service all the same', async () => {
  const { app, window, service } = inSession();
  const query = preventable();
  window.emit('query-session-end', query);
  await settled();
  expect([query.prevented, service.closes(), app.asked]).toEqual([false, 1, []]);
  // Without a quit under way Electron would end the process now.
  window.emit('session-end', preventable());
  expect(app.asked).toEqual([['quit']]);
  service.closed.resolve();
  await settled();
  expect(service.closes()).toBe(1);
});

test('a session that ends without asking has a quit under way at once, without which Windows waits for nothing', async () => {
  const { app, window, service } = inSession();
  window.emit('session-end', preventable());
  expect(app.asked).toEqual([['quit']]);
  await settled();
  expect(service.closes()).toBe(1);
});

test('a shutdown of Linux waits for a quit, which Electron asks of it only for a listener that is not the first', () => {
  const { app, power } = inSession();
  expect([power.prepareForShutdown(), app.asked]).toEqual([true, [['quit']]]);
});

test('sleep is told to the log', () => {
  const { app, ending } = ended();
  const { lines, log } = logged();
  const power = new EventEmitter();
  closeAtSessionEnd(app, power as ElectronPowerMonitor, ending, log);
  power.emit('suspend');
  power.emit('resume');
  expect(lines).toEqual(['The machine goes to sleep.', 'The machine woke up.']);
});

test.each([
  ['linux', [['quit']]],
  ['win32', [['quit']]],
  ['darwin', []],
] as const)('on %s the last window takes what it takes along', (platform, asked) => {
  const app = new FakeApp();
  quitWithLastWindow(app, platform);
  app.emit('window-all-closed');
  expect(app.asked).toEqual(asked);
});
