import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MessageBoxOptions } from 'electron';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { asksInBox, clearInBox } from '../../../electron/shell/start/clear-box.ts';
import { home, inHome, used, usedBefore } from '../cli/folders/clear-home.ts';
import { FakeApp } from './fakes.ts';

inHome();
beforeEach(() => {
  for (const [name, value] of [
    ['HOME', home],
    ['XDG_CONFIG_HOME', join(home, '.config')],
    ['APPDATA', home],
  ] as const)
    vi.stubEnv(name, value);
});
afterEach(() => void vi.unstubAllEnvs());

test.each([
  [['clear'], 'win32', true, true],
  [['clear', '--data', 'D:\\rig'], 'win32', true, true],
  [['clear', '--yes'], 'win32', true, false],
  [['clear', '--json'], 'win32', true, false],
  [['clear', '--help'], 'win32', true, false],
  [['stop'], 'win32', true, false],
  [['clear'], 'win32', false, false],
  [['clear'], 'linux', true, false],
  [['clear'], 'darwin', true, false],
] as const)('%j on %s, installed: %s, asks in a box: %s', (words, platform, isPackaged, asks) => {
  expect(asksInBox(words, { isPackaged }, platform)).toBe(asks);
});

/** Runs it with whoever presses these buttons, in turn; `shown` are the boxes. */
async function pressing(buttons: readonly string[], ...flags: string[]) {
  const app = new FakeApp();
  app.ready = false;
  const shown: MessageBoxOptions[] = [];
  const dialog = {
    showMessageBox: (...args: unknown[]) => {
      expect(app.ready).toBe(true);
      const options = args.at(-1) as MessageBoxOptions;
      const response = options.buttons?.indexOf(buttons[shown.push(options) - 1] ?? '') ?? -1;
      expect(response).toBeGreaterThanOrEqual(0);
      return Promise.resolve({ response, checkboxChecked: false });
    },
  };
  const code = await clearInBox(flags, { app, dialog });
  expect(shown).toHaveLength(buttons.length);
  return { code, shown };
}

describe.runIf(process.platform !== 'win32')('fieldbench clear in a box', () => {
  test('says what would go, and removes it when that is pressed', async () => {
    const directory = await usedBefore();
    const { code, shown } = await pressing(['Remove', 'OK'], '--data', directory);
    const [asked, told] = shown;
    expect(asked).toMatchObject({ type: 'warning', message: 'Remove all of it?' });
    expect(asked?.detail).toMatch(
      /cannot be had back:\n.*data of Fieldbench: 1 project, 1 device, [\d,]+ bytes/,
    );
    expect(told).toMatchObject({ type: 'info', message: 'It is removed.' });
    expect(code).toBe(0);
    expect(existsSync(directory)).toBe(false);
  });

  test('removes nothing where it is kept, and who presses Escape or Return keeps it', async () => {
    const directory = await usedBefore();
    const { code, shown } = await pressing(['Keep'], '--data', directory);
    expect(code).toBe(1);
    const [asked] = shown;
    for (const id of [asked?.cancelId, asked?.defaultId]) expect(asked?.buttons?.[id ?? -1]).toBe('Keep');
    expect(existsSync(join(directory, 'metadata.json'))).toBe(true);
  });

  test('says why it cannot, with the exit code of a terminal', async () => {
    const nowhere = await pressing(['OK'], '--data', home);
    expect(nowhere.shown[0]).toMatchObject({
      type: 'error',
      message: expect.stringContaining('is no data directory of Fieldbench'),
    });
    expect(nowhere.code).toBe(2);
    const { service, directory } = await used();
    const inUse = await pressing(['OK'], '--data', directory);
    expect(inUse.shown[0]?.message).toContain('Stop it first, as with "fieldbench stop".');
    expect(inUse.code).toBe(3);
    await service.service.close();
    expect((await pressing(['OK'], '--no-such-flag')).code).toBe(2);
  });
});
