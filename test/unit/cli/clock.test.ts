import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseServeFlags } from '#core/cli/flags.ts';
import { runCli, startServiceProcess, type ServiceProcess } from '../../helpers/service/service-process.ts';

describe('--clock', () => {
  test.each([
    [[], null],
    [['--clock', 'system'], null],
    [['--clock', 'frozen'], { mode: 'frozen' }],
    [
      ['--clock', 'frozen@2026-01-15T10:30:00Z'],
      { mode: 'frozen', now: Date.UTC(2026, 0, 15, 10, 30) * 1000 },
    ],
    [['--clock', 'scaled*60'], { mode: 'scaled', rate: 60 }],
    [
      ['--clock', 'scaled@2026-01-15T11:30:00+01:00*0.5'],
      { mode: 'scaled', now: Date.UTC(2026, 0, 15, 10, 30) * 1000, rate: 0.5 },
    ],
  ])('%j', (flags, clock) => {
    expect(parseServeFlags(flags).clock).toEqual(clock);
  });

  test.each([
    '',
    'stopped',
    'frozen@',
    'frozen@soon',
    'frozen*2',
    'scaled',
    'scaled*0',
    'scaled*fast',
    'scaled@2026*2',
  ])('refuses "%s" and says what it takes', (value) => {
    expect(() => parseServeFlags([`--clock=${value}`])).toThrow(
      `--clock takes system, frozen, frozen@TIME or scaled@TIME*RATE, such as scaled@2026-01-15T10:30:00Z*60, got "${value}".`,
    );
  });

  test('does not go with --strict or --store', () => {
    expect(() => parseServeFlags(['--strict', '--clock', 'frozen'])).toThrow(
      '--clock is beyond the /v2 document',
    );
  });
});

describe('fieldbench clock', () => {
  let service: ServiceProcess;
  beforeAll(
    async () =>
      void (service = await startServiceProcess({ args: ['--clock', 'frozen@2026-01-15T10:30:00Z'] })),
  );
  afterAll(() => service.stop());
  const clock = (...args: string[]) => runCli(['clock', ...args, '--data', service.directory]);

  test('shows, moves and sets the clock of a service that was started for it', async () => {
    expect(await clock('show')).toMatchObject({
      code: 0,
      stdout: 'The clock stands at 2026-01-15T10:30:00.000000Z.\n',
    });
    const moved = await clock('advance', '90s');
    expect(moved.stdout).toMatch(/^The clock says 2026-01-15T10:31:30\.000000Z; 1 timer ran on the way\.\n$/);
    const set = await clock('set', 'frozen@2030-01-01T00:00:00Z', '--json');
    expect(JSON.parse(set.stdout)).toEqual({ mode: 'frozen', rate: 0, now: '2030-01-01T00:00:00.000000Z' });
    const faster = await clock('set', 'scaled*60');
    expect(faster.stdout).toMatch(/^The clock says 2030-01-01T00:00:.*Z, and goes 60 times as fast\.\n$/);
  });

  test('says what is wrong', async () => {
    expect(await clock('advance', 'soon')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('such as 90s or 30d, got "soon"') as string,
    });
    expect(await clock('set')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('a CLOCK') as string,
    });
    const other = await startServiceProcess();
    const refused = await runCli(['clock', 'advance', '1d', '--data', other.directory]);
    expect([refused.code, refused.stderr]).toEqual([
      3,
      expect.stringContaining('Start it with --clock frozen'),
    ]);
    await other.stop();
  });
});
