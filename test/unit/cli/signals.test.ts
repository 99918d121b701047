import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { stopSignals } from '#core/cli/serve/signals.ts';

afterEach(() => vi.restoreAllMocks());

/** A process of another system, and the codes with which it was ended. */
function processOn(platform: NodeJS.Platform) {
  const ended: number[] = [];
  const emitter = new EventEmitter();
  const exit = (code: number) => void ended.push(code);
  return { ended, process: Object.assign(emitter, { platform, exit }) };
}

describe('what asks for a stop', () => {
  test.each([
    ['linux', 'SIGTERM'],
    ['linux', 'SIGINT'],
    ['linux', 'SIGHUP'],
    ['darwin', 'SIGHUP'],
    // Ctrl+Break, and a console that is closed.
    ['win32', 'SIGBREAK'],
    ['win32', 'SIGHUP'],
    ['win32', 'SIGINT'],
  ] as const)('is on %s %s, once or ten times together', async (platform, signal) => {
    const { process, ended } = processOn(platform);
    const { asked } = stopSignals(process);
    for (let time = 0; time < 10; time++) expect(process.emit(signal)).toBe(true);
    await asked;
    expect(ended).toEqual([]);
  });

  test('ends the process at once when a person asks again, and not when a terminal goes away again', () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(1000);
    const { process, ended } = processOn('linux');
    stopSignals(process);
    process.emit('SIGHUP');
    process.emit('SIGINT');
    now.mockReturnValue(9000);
    process.emit('SIGHUP');
    expect(ended).toEqual([]);
    process.emit('SIGINT');
    expect(ended).toEqual([130]);
  });

  test('ends the patience of one that waits for its balancers, and only then the process', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(1000);
    const { process, ended } = processOn('linux');
    const signals = stopSignals(process);
    process.emit('SIGTERM');
    const patience = signals.patience(3_600_000);
    // From npm, which passes on the same one.
    process.emit('SIGTERM');
    now.mockReturnValue(9000);
    process.emit('SIGTERM');
    await patience;
    expect(ended).toEqual([]);
    now.mockReturnValue(18_000);
    process.emit('SIGTERM');
    expect(ended).toEqual([143]);
  });
});
