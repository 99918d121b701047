import { expect, test } from 'vitest';
import { commandsIn } from '#core/cli/commands.ts';
import { commandIn } from '../../../electron/shell/start/command.ts';

test.each([
  [['/opt/fieldbench/fieldbench', 'stop'], true, ['stop']],
  [['/opt/fieldbench/fieldbench', 'stop', '--data', 'x'], true, ['stop', '--data', 'x']],
  [['/opt/fieldbench/fieldbench', 'records', 'export', '--json'], true, ['records', 'export', '--json']],
  [['electron', 'out/main/main.js', 'status'], false, ['status']],
  [['electron', 'status'], false, null],
  [['/opt/fieldbench/fieldbench'], true, null],
  [['/opt/fieldbench/fieldbench', '--data', 'stop'], true, null],
  [['/opt/fieldbench/fieldbench', './stop'], true, null],
  [['/opt/fieldbench/fieldbench', 'records.csv'], true, null],
  [['/opt/fieldbench/fieldbench', 'stopp'], true, null],
])(
  'an installed program is told a command from flags and files: %j, packaged %s',
  (argv, packaged, words) => {
    expect(commandIn(argv, packaged)).toEqual(words);
  },
);

test.each(commandsIn('').map(({ name }) => name))('%s is one of its commands', (name) => {
  const words = name.split(' ');
  expect(commandIn(['/opt/fieldbench/fieldbench', ...words], true)).toEqual(words);
});
