import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { expect, test } from 'vitest';
import { StartError } from '#core/base/errors.ts';
import { createEnding } from '../../../electron/shell/end/ending.ts';
import { ask, endAtCrash, RemediableError, showFailure } from '../../../electron/shell/end/failure.ts';
import { outliveReaders } from '../../../electron/shell/start/output.ts';
import { FakeApp, logged, settled } from './fakes.ts';

function failing(button = 1) {
  const app = new FakeApp();
  const { lines, log } = logged();
  const ending = createEnding(log);
  ending.of(
    Promise.resolve({
      close: () => {
        app.asked.push(['close']);
        return Promise.resolve();
      },
    }),
  );
  const dialog = {
    showMessageBox: (...args: unknown[]) => {
      const { message, detail, buttons } = args.at(-1) as Record<string, unknown>;
      expect(app.isReady(), 'Linux shows no box before').toBe(true);
      app.asked.push(['ask', message, detail, buttons]);
      return Promise.resolve({ response: button, checkboxChecked: false });
    },
  };
  const stepAside = () => void app.asked.push(['step aside']);
  return { app, lines, ending, words: { app, dialog, ending, log, stepAside } };
}

const busy = new StartError('port-busy', 'Port 7443 is in use.');

test('a failed start closes what runs, says why, and ends with 1', async () => {
  const { app, lines, words } = failing();
  await showFailure(busy, words);
  expect(app.asked).toEqual([
    ['close'],
    ['ask', 'Fieldbench cannot start', 'Port 7443 is in use.', ['Try again', 'Quit']],
    ['exit', 1],
  ]);
  expect(lines).toEqual(['Fieldbench cannot start: Port 7443 is in use.']);
});

test('who asks for it gets another try, such as after the keychain is open', async () => {
  const { app, words } = failing(0);
  await showFailure(busy, words);
  expect(app.asked.slice(-2)).toEqual([['relaunch'], ['exit', 1]]);
});

test('before the app is ready it is waited for, in no profile of another app', async () => {
  const { app, words } = failing();
  app.ready = false;
  await showFailure(busy, words);
  expect(app.asked.map(([what]) => what)).toEqual(['close', 'step aside', 'when ready', 'ask', 'exit']);
});

test.each([
  [0, ['applied', 'relaunch']],
  [1, []],
])('what would help is offered, and done where it is wanted: button %i', async (button, done) => {
  const { app, words } = failing(button);
  const remedy = { label: 'Start anyway', apply: () => void app.asked.push(['applied']) };
  await showFailure(new RemediableError('locked', 'In use.', remedy), words);
  expect(app.asked[1]?.[3]).toEqual(['Start anyway', 'Quit']);
  expect(app.asked.slice(2, -1).map(([what]) => what)).toEqual(done);
});

test('what fails because the app ends is no failure', async () => {
  const { app, ending, words } = failing();
  await ending.run();
  await showFailure(busy, words);
  expect(app.asked).toEqual([['close']]);
});

test.each(['uncaughtException', 'unhandledRejection'])(
  'an %s closes the service, is logged, and is told once, however many follow',
  async (event) => {
    const { app, lines, words } = failing(0);
    const program = new EventEmitter();
    endAtCrash(program, words);
    program.emit(event, new Error('first'));
    program.emit('uncaughtException', new Error('second'));
    await settled();
    expect(lines).toEqual(['Something unforeseen happened: first', 'Something unforeseen happened: second']);
    expect(app.asked.map(([what]) => what)).toEqual(['close', 'ask', 'relaunch', 'exit']);
    expect(app.asked[1]?.[2]).toContain('first');
  },
);

test('a question that cannot be asked is logged, and the app ends all the same', async () => {
  const { app, lines, words } = failing();
  const dialog = { ...words.dialog, showMessageBox: () => Promise.reject(new Error('no display')) };
  await showFailure(busy, { ...words, dialog });
  expect(lines.join()).toContain('no display');
  expect(app.asked.at(-1)).toEqual(['exit', 1]);
});

test.each([
  ['visible', { isDestroyed: () => false, isVisible: () => true }, 2],
  ['hidden', { isDestroyed: () => false, isVisible: () => false }, 1],
  ['gone', { isDestroyed: () => true, isVisible: () => true }, 1],
])('a question hangs on no window but a visible one: %s', async (_how, window, args) => {
  const calls: unknown[][] = [];
  const showMessageBox = (...given: unknown[]) => {
    calls.push(given);
    return Promise.resolve({ response: 0, checkboxChecked: false });
  };
  await ask({ showMessageBox }, window as BrowserWindow, { message: '?' });
  expect(calls[0]).toHaveLength(args);
});

test('output that nobody reads any more is no exception', () => {
  const output = new EventEmitter() as unknown as NodeJS.WriteStream;
  expect(() => output.emit('error', new Error('EPIPE'))).toThrow('EPIPE');
  outliveReaders([output]);
  expect(() => output.emit('error', new Error('EPIPE'))).not.toThrow();
});
