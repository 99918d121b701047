import { hash } from 'node:crypto';
import { answerMessages } from '../lib/child.ts';
import { PackedSenders } from '../../electron/core/store/postgres/metadata/packed-senders.ts';

interface Asked {
  readonly devices: number;
}

/** Memory of a process that knows the tokens of so many devices, above one that knows none, in bytes. */
export interface CredentialsFootprint {
  readonly heap: number;
  readonly resident: number;
  readonly known: number;
}

const PROJECTS = 100;
const uuid = (kind: number, n: number) =>
  `${kind.toString(16).padStart(8, '0')}-6c5b-4c7e-9f0e-${n.toString(16).padStart(12, '0')}`;
const hashOf = (n: number) => hash('sha256', String(n), 'hex');

/** JavaScript's heap and what lies outside of it, after a garbage collection. */
function used() {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, rss };
}

/** The limit is that of a service. */
answerMessages(({ devices }: Asked) => {
  const before = used();
  const senders = new PackedSenders(160e6);
  for (let n = 0; n < devices; n++) {
    senders.set(hashOf(n), {
      account_id: uuid(1, 1),
      device: { id: uuid(2, n), project_id: uuid(3, n % PROJECTS), source: 'http' },
    });
  }
  const after = used();
  let known = 0;
  for (let n = 0; n < devices; n++) known += Number(senders.get(hashOf(n))?.device.id === uuid(2, n));
  return {
    heap: after.heap - before.heap,
    resident: after.rss - before.rss,
    known,
  } satisfies CredentialsFootprint;
});
