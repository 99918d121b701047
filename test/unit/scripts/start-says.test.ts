import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RESULTS } from '../../../scripts/lib/build.mjs';
import { inProject } from '../../../scripts/lib/project.mjs';
import { run } from '../../../scripts/lib/run.mjs';

/* What `npm start` says, with stand-ins for the builder and for the service. */

/** Writes what a build has, and a service that is ready at once; as talkative as the real one. */
const BUILDER = `
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
const service = \`
const [, , command, ...flags] = process.argv;
const greeting = flags[flags.indexOf('--greeting') + 1];
if (command === 'open') process.exitCode = 4;
else if (flags.includes('--greeting')) console.log(greeting.replace('{console}', 'http://127.0.0.1:7480/console/open'));
else console.log('Fieldbench is ready.\\\\n  console  http://127.0.0.1:7480/console/open');
\`;
for (const name of ['ssr', 'ssr', 'client']) {
  console.log(\`vite v8 building \${name} environment for production...\`);
  for (let i = 0; i < 60; i++) console.log(\`out/noise-\${i}.js  1.00 kB\`);
}
for (const file of ${JSON.stringify(RESULTS)}) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, file.endsWith('cli.js') ? service : '');
}
if (process.env.FAILS) { console.error('[vite] app.tsx: a comma is missing'); process.exitCode = 1; }
`;

describe.runIf(process.platform === 'linux')('npm start', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'fieldbench-start-'));
    await cp(inProject('scripts'), path.join(root, 'scripts'), { recursive: true });
    const files = {
      'package.json': '{"type": "module", "allowScripts": {}}',
      'package-lock.json': '{"packages": {}}',
      'node_modules/.package-lock.json': '{"packages": {}}',
      'node_modules/electron-vite/bin/electron-vite.js': BUILDER,
      'node_modules/electron-vite/package.json': '{"type": "module"}',
    };
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(root, name)), { recursive: true });
      await writeFile(path.join(root, name), text);
    }
    await mkdir(path.join(root, 'node_modules/node/bin'), { recursive: true });
    await symlink(process.execPath, path.join(root, 'node_modules/node/bin/node'));
  });
  afterEach(() => rm(root, { recursive: true }));

  async function start(flags: readonly string[] = [], more: Record<string, string> = {}) {
    const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...env } = process.env;
    const script = path.join(root, 'scripts', 'start.mjs');
    const { code, output } = await run(process.execPath, [script, '--no-open', ...flags], {
      cwd: root,
      env: { ...env, ...more },
      output: 'quiet',
    });
    return { code, lines: output.trimEnd().split('\n') };
  }

  const LINE = expect.stringMatching(
    /^There is no display \(.*\): Fieldbench runs in the browser instead: http:\/\/127\.0\.0\.1:7480\/console\/open$/,
  );

  test('says how far a build is, and one line where nothing had to be built', async () => {
    expect(await start()).toEqual({
      code: 0,
      lines: [
        'Building …',
        'Building … 1 of 3: the service',
        'Building … 2 of 3: the bridge to the window',
        'Building … 3 of 3: the app',
        expect.stringMatching(/^Built in \d+ s\.$/),
        LINE,
      ],
    });
    expect(await start()).toEqual({ code: 0, lines: [LINE] });
  });

  test('shows what the builder says with --verbose, and all that the service says', async () => {
    const { code, lines } = await start(['--verbose']);
    expect([code, lines.length]).toEqual([0, 3 * 61 + 3]);
    expect(lines).toContain('out/noise-59.js  1.00 kB');
    expect(lines).not.toContain('Building …');
    expect(lines.slice(-3)).toEqual([
      expect.stringMatching(/^There is no display .* at the console address below\.$/),
      'Fieldbench is ready.',
      '  console  http://127.0.0.1:7480/console/open',
    ]);
  });

  test('shows all of it where the build fails, and builds again', async () => {
    const { code, lines } = await start([], { FAILS: '1' });
    expect(code).toBe(1);
    expect(lines).toContain('fieldbench: the build failed:');
    expect(lines).toContain('[vite] app.tsx: a comma is missing');
    expect(lines).toContain('out/noise-0.js  1.00 kB');
    expect(lines).not.toContainEqual(LINE);
    expect((await start()).lines.at(-1)).toEqual(LINE);
  });
});
