import { describe, expect, test } from 'vitest';
import { commandOf, commandsIn, helpOf } from '#core/cli/commands.ts';
import { runCli } from '../../helpers/service/service-process.ts';

const commands = commandsIn('');
const found = (line: string) => commandOf(commands, line.split(' '));

describe('a command line', () => {
  test('is of one command, and what follows is for it', () => {
    expect(found('records export --device d')).toMatchObject({
      command: { name: 'records export' },
      rest: ['--device', 'd'],
    });
    expect(found('stop')).toMatchObject({ command: { name: 'stop' }, rest: [] });
  });

  test.each([
    ['statsu', 'There is no command "statsu". Did you mean "status"?'],
    ['chek --data d', 'Did you mean "check"?'],
    ['record export', 'Did you mean "records export"?'],
    ['widgets', 'There is no command "widgets". See'],
    ['projects', 'fieldbench projects takes "list", "show", "create", "change", "delete", got nothing.'],
    ['lab', 'fieldbench lab takes "check", "rotate-key", got nothing.'],
    ['records exprt --device d', 'got "exprt". Did you mean "records export"?'],
    ['lab mend', 'fieldbench lab takes "check", "rotate-key", got "mend".'],
  ])('"%s" is none: %s', (line, words) => {
    expect(() => found(line)).toThrow(words);
  });
});

test.each(commands)(
  'the help of $name says its own flags and exit codes, and no other’s',
  async (command) => {
    const help = await helpOf(command);
    expect(help).toContain(`fieldbench ${command.name} [flags]`);
    expect(help).toContain('It exits with 0, 2 where the line makes no sense');
    expect(help.includes('--fingerprint')).toBe(['push', 'verify'].includes(command.name));
  },
);

test('help is of one command where one is named, of all where none is, and a wrong name is wrong use with it, too', async () => {
  const one = await runCli(['push', '--to', 'x', '--help']);
  expect([one.code, one.stdout.split('\n')[0]]).toEqual([
    0,
    'fieldbench push [flags]: sends what the service has to a lab, by a plan.',
  ]);
  const group = await runCli(['records', '--help']);
  expect([group.code, group.stdout.split(' [flags]')[0]]).toEqual([0, 'fieldbench records export']);
  const all = await runCli(['--help']);
  expect(all.code).toBe(0);
  for (const { name } of commands) expect(all.stdout).toContain(`fieldbench ${name} `);
  expect(all.stdout).not.toContain('--data');
  expect(await runCli(['projcts', '--help'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('There is no command "projcts"'),
  });
});
