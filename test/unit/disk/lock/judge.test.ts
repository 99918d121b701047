import { describe, expect, test } from 'vitest';
import type { ClaimText, Listening } from '#core/disk/lock/claim.ts';
import type { Identity } from '#core/disk/lock/identity.ts';
import { judge, type Surroundings } from '#core/disk/lock/judge.ts';

/* What is certain of another process's claim, on systems and machines that this one is not. */

const us: Identity = { pid: 10, start: '500', boot: 'b1', namespace: '1', machine: 'm1' };
const windows: Identity = { pid: 10, start: '0', boot: '0', namespace: '0', machine: 'm1' };

function around(given: Partial<Surroundings>): Surroundings {
  return {
    platform: 'linux',
    processState: () => Promise.resolve(null),
    mayRun: () => true,
    probe: () => Promise.resolve('absent'),
    ...given,
  };
}

const said = (socket: Listening): ClaimText => ({ state: 'holding', socket, host: 'here', beat: 1 });
const verdict = (claim: Identity, given: Partial<Surroundings>, socket: Listening = 'folder', me = us) =>
  judge({ ...claim, name: 'lock' }, said(socket), me, around(given));

const runs = { processState: () => Promise.resolve({ state: 'S', start: '900' }) };
const answers = { probe: () => Promise.resolve('answered' as const) };
const refuses = { probe: () => Promise.resolve('refused' as const) };
const unclear = { probe: () => Promise.resolve('unclear' as const) };
const gone = { mayRun: () => false };

describe('a claim on Linux', () => {
  const near = { ...us, pid: 20, start: '900' };

  test('of a process that runs is alive, whatever the socket says', async () => {
    expect(await verdict(near, { ...runs, ...refuses })).toBe('alive');
  });

  test('of a pid that another process has by now, or none, is dead', async () => {
    expect(await verdict({ ...near, start: '800' }, runs)).toBe('dead');
    expect(await verdict(near, gone)).toBe('dead');
    expect(await verdict({ ...near, pid: us.pid, start: '400' }, {})).toBe('dead');
  });

  test.each(['Z', 'X'])('of a process in state %s is dead', async (state) => {
    expect(await verdict(near, { processState: () => Promise.resolve({ state, start: '900' }) })).toBe(
      'dead',
    );
  });

  test('of a process that /proc hides is told by the socket', async () => {
    expect(await verdict(near, answers)).toBe('alive');
    expect(await verdict(near, refuses)).toBe('dead');
    expect(await verdict(near, {})).toBe('unknown');
  });

  test('of another container is told by the socket in the folder, never by the pid', async () => {
    const container = { ...near, namespace: '2', machine: '0' };
    expect(await verdict(container, { ...gone, ...answers })).toBe('alive');
    expect(await verdict(container, { ...runs, ...refuses })).toBe('dead');
    expect(await verdict(container, { ...gone, ...refuses }, 'machine')).toBe('unknown');
    expect(await verdict(container, { ...gone, ...refuses }, 'nowhere')).toBe('unknown');
    expect(await verdict({ ...container, pid: us.pid, start: us.start }, {})).toBe('unknown');
  });

  test('of another machine is unknown, for its sockets cannot be reached from here', async () => {
    const far = { ...near, boot: 'b2', machine: 'm2' };
    expect(await verdict(far, { ...gone, ...refuses })).toBe('unknown');
    expect(await verdict({ ...far, machine: '0' }, { ...gone, ...refuses })).toBe('unknown');
  });

  test('of this machine before it was restarted is dead', async () => {
    expect(await verdict({ ...near, boot: 'b0' }, runs)).toBe('dead');
  });
});

describe.each(['win32', 'darwin'] as const)('a claim on %s', (platform) => {
  const near = { ...windows, pid: 20 };

  test('of a pid that does not run is dead', async () => {
    expect(await verdict(near, { platform, ...gone }, 'machine', windows)).toBe('dead');
  });

  test('of a pid that runs is alive where the folder answers, else unknown: it may be a stranger by now', async () => {
    expect(await verdict(near, { platform, ...answers }, 'machine', windows)).toBe('alive');
    expect(await verdict(near, { platform, ...unclear }, 'machine', windows)).toBe('unknown');
    expect(await verdict(near, { platform }, 'nowhere', windows)).toBe('unknown');
    expect(await verdict(near, { platform, ...refuses }, 'folder', windows)).toBe('unknown');
  });

  test('of another machine, or one that cannot be told, is not judged by the pid', async () => {
    expect(await verdict({ ...near, machine: 'm2' }, { platform, ...gone }, 'machine', windows)).toBe(
      'unknown',
    );
    const untold = { ...windows, machine: '0' };
    expect(await verdict({ ...untold, pid: us.pid }, { platform, ...gone }, 'machine', untold)).toBe(
      'unknown',
    );
  });
});

test('a claim on Windows whose pipe is gone is dead, whoever has its pid by now', async () => {
  const near = { ...windows, pid: 20 };
  expect(await verdict(near, { platform: 'win32' }, 'machine', windows)).toBe('dead');
  // A Mac’s socket is a file, which anybody may have removed.
  expect(await verdict(near, { platform: 'darwin' }, 'machine', windows)).toBe('unknown');
  // Of another machine a pipe is never here.
  expect(await verdict({ ...near, machine: 'm2' }, { platform: 'win32' }, 'machine', windows)).toBe(
    'unknown',
  );
});
