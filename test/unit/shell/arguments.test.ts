import { expect, test } from 'vitest';
import { appArguments } from '../../../electron/shell/arguments.ts';

test.each([
  ['an installed app', ['/opt/fieldbench', '--data', 'x'], true, ['--data', 'x']],
  ['Electron and the folder', ['electron', '.', '--data', 'x'], false, ['--data', 'x']],
  [
    'Electron, its own switches and the script',
    ['electron', '--no-sandbox', 'out/main/main.js', '--port', '0'],
    false,
    ['--port', '0'],
  ],
  ['Electron and the folder alone', ['electron', '.'], false, []],
])('the flags of the app are told apart: %s', (_how, argv, isPackaged, flags) => {
  expect(appArguments(argv, isPackaged)).toEqual(flags);
});
