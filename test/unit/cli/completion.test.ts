import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { commandsIn } from '#core/cli/commands.ts';
import { completionOf } from '#core/cli/completion.ts';

/* docs/running.md, "All commands": what shells complete. */

const commands = commandsIn('');

async function scriptOf(shell: string): Promise<string> {
  let text = '';
  const output = { print: (line: string) => void (text += `${line}\n`), remark: () => undefined };
  expect(await completionOf(() => commands).run([shell], output)).toBe(0);
  return text;
}

const has = (program: string) => spawnSync(program, ['--version']).status === 0;

/** What bash offers for the last word of a line. */
async function offered(...words: string[]): Promise<string[]> {
  const script = `${await scriptOf('bash')}
COMP_WORDS=(fieldbench "$@"); COMP_CWORD=$#; _fieldbench; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const found = execFileSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' });
  return found.split('\n').filter((line) => line !== '');
}

test.runIf(has('bash'))('bash completes commands, their second words and their flags', async () => {
  expect(await offered('proj')).toEqual(['projects']);
  expect(await offered('projects', '')).toEqual(['change', 'create', 'delete', 'list', 'show']);
  expect(await offered('projects', 'create', '--desc')).toEqual(['--description']);
  expect(await offered('records', 'export', '--device', 'x', '--for')).toEqual(['--format', '--formulas']);
  expect(await offered('nothing', 'of', 'it', '--x')).toEqual([]);
  const all = new Set(await offered(''));
  for (const { name } of commands) expect(all).toContain(name.split(' ')[0]);
});

test.each(['zsh', 'fish'])('%s is told of every command', async (shell) => {
  const script = await scriptOf(shell);
  for (const { name } of commands)
    for (const word of name.split(' ')) expect(script).toMatch(new RegExp(`(?<![\\w-])${word}\\b`));
  if (has(shell))
    expect(spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' })).toMatchObject({ status: 0 });
});

test('another shell is wrong use', async () => {
  await expect(scriptOf('csh')).rejects.toThrow('completion takes bash, zsh, fish, got "csh".');
});
