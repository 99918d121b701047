import { basename, dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { array, assert, constantFrom, oneof, property } from 'fast-check';
import { expect, test } from 'vitest';
import { OPTIONS, parseServeFlags } from '#core/cli/flags.ts';
import { appArguments, filesToOpen, readFlags } from '../../../electron/shell/start/arguments.ts';

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

test('what is for a service without a window is refused, and anything else read', () => {
  expect(readFlags(['--vault', 'file'])).toMatchObject({ vault: 'file', inMemory: false });
  expect(() => readFlags(['--in-memory'])).toThrow('--in-memory is for "fieldbench serve"');
});

const FOREIGN = [
  '--no-sandbox',
  '--ozone-platform=x11',
  '--disable-gpu',
  '--password-store=gnome-libsecret',
  '--updated',
  '--squirrel-firstrun',
  '--inspect=0',
  '--remote-debugging-port=0',
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--host-rules=MAP * 127.0.0.1',
  '--user-data-dir=/tmp/x',
  '--headless',
  '--proxy-server=http://127.0.0.1:1',
  '--v=1',
  '--type=renderer',
  '--lang=de',
  '--allow-file-access-from-files',
  '-psn_0_12345',
  '/prefetch:1',
];

test('an installed app does not mind switches of Chromium, installers and launchers, wherever they stand', () => {
  const own = constantFrom(['--port', '0'], ['--data=x'], ['--strict'], ['--vault', 'memory']);
  const words = array(
    oneof(
      constantFrom(...FOREIGN.filter((word) => word.startsWith('-'))).map((word) => [word]),
      own,
    ),
  );
  assert(
    property(words, (parts) => {
      const kept = parts.filter((part) => !FOREIGN.includes(part[0] ?? ''));
      expect(appArguments(['app', ...parts.flat()], true)).toEqual(kept.flat());
    }),
  );
  expect(appArguments(['app', ...FOREIGN], true)).toEqual([]);
  expect(() => parseServeFlags(appArguments(['app', ...FOREIGN, '--port', '0'], true))).not.toThrow();
});

test('what was meant for the app and is misspelt is still named', () => {
  for (const name of Object.keys(OPTIONS)) {
    const swapped = `${name.slice(0, -2)}${name.at(-1)}${name.at(-2)}`;
    for (const slip of [name.slice(0, -1), `${name}s`, swapped]) {
      expect(() => parseServeFlags(appArguments(['app', `--${slip}=1`], true)), slip).toThrow(`'--${slip}`);
    }
  }
});

test('a path with a space that nobody quoted is refused, not cut', () => {
  const cut = appArguments(['app', '--data', 'C:\\My', 'Data', '--no-sandbox', '--port', '0'], true);
  expect(() => parseServeFlags(cut)).toThrow("'Data'");
});

// This very file: any that is there.
const FILE = fileURLToPath(import.meta.url);

test.each([true, false])(
  'a file that the desktop hands over is opened, and is no flag (installed: %s)',
  (isPackaged) => {
    const words = ['--strict', FILE, '--ready-file', FILE, '--data=x', 'plot.csv'];
    const argv = isPackaged ? ['fieldbench', ...words] : ['electron', FILE, ...words];
    expect(filesToOpen(argv, isPackaged)).toEqual([FILE]);
    const flags = appArguments(argv, isPackaged);
    expect(flags.slice(0, 3)).toEqual(['--strict', '--ready-file', FILE]);
  },
);

test.each([
  ['by its URL, as from a desktop file with %U', pathToFileURL(FILE).href],
  ['by a name in the folder where it was typed', basename(FILE)],
])('a file is opened %s', (_how, word) => {
  expect(filesToOpen(['fieldbench', word], true, dirname(FILE))).toEqual([FILE]);
});

test('a file that is not there is handed over by an installed app, so that it is told, and is named as no flag by others', () => {
  const argv = (program: readonly string[]) => [...program, '/none.csv', '--log-file', '/none.log'];
  expect(filesToOpen(argv(['fieldbench']), true, '', 'linux')).toEqual(['/none.csv']);
  expect(() => parseServeFlags(appArguments(argv(['electron', FILE]), false))).toThrow('/none.csv');
});

test('neither a switch of Chromium on Windows nor what is elsewhere is a file', () => {
  expect(filesToOpen(['fieldbench', '/prefetch:1'], true, '', 'win32')).toEqual([]);
  expect(filesToOpen(['fieldbench', 'file:///C:/%', 'https://example.com/a.csv'], true)).toEqual([]);
});
