import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** SIGKILL; resolves once the process is gone, and has said all that it said. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'close');
  child.kill('SIGKILL');
  await gone;
}
