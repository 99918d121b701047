import { createHash } from 'node:crypto';
import { readFile, readdir, readlink, realpath } from 'node:fs/promises';
import { hostname, networkInterfaces } from 'node:os';

/** Identity of a process on a machine; each part of lower-case letters and digits, "0" where the system does not tell. */
export interface Identity {
  readonly pid: number;
  /** When it started, in clock ticks since the machine did: Linux alone tells. */
  readonly start: string;
  /** Linux's id of this run of the kernel: containers share it, machines do not. */
  readonly boot: string;
  /** Within which a pid means this process. */
  readonly namespace: string;
  /** The machine, over restarts. Two machines never have the same one; "0" where that is not certain. */
  readonly machine: string;
}

export const UNKNOWN = '0';

/** Resolves with the identity of this process. */
export async function ownIdentity(): Promise<Identity> {
  const [state, boot, namespace, machine] = await Promise.all([
    processState(process.pid),
    bootId(),
    quietly(readlink('/proc/self/ns/pid')),
    process.platform === 'linux' ? linuxCards() : otherCards(),
  ]);
  return {
    pid: process.pid,
    start: state?.start ?? UNKNOWN,
    boot: boot === UNKNOWN ? UNKNOWN : shortHash(boot),
    namespace: /\d+/.exec(namespace ?? '')?.[0] ?? UNKNOWN,
    machine,
  };
}

/** Linux's own words for this run of the kernel; "0" where the system does not tell. */
async function bootId(): Promise<string> {
  return (await quietly(readFile('/proc/sys/kernel/random/boot_id', 'utf8')))?.trim() ?? UNKNOWN;
}

/** State letter and start time of a process, from proc_pid_stat(5); null where the system does not show them. */
export async function processState(pid: number): Promise<{ state: string; start: string } | null> {
  const stat = await quietly(readFile(`/proc/${pid}/stat`, 'utf8'));
  // Fields are counted after the name, the second one: it stands in parentheses and may hold blanks and parentheses.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields?.[0];
  const start = fields?.[19];
  return state !== undefined && start !== undefined ? { state, start } : null;
}

/**
 * The addresses of the network cards. /etc/machine-id would not do: images of containers and of virtual machines are
 * copied with it, cards on one network cannot share an address. A container has no card of its own and stays unknown.
 */
async function linuxCards(): Promise<string> {
  const names = (await quietly(readdir('/sys/class/net'))) ?? [];
  const addresses = await Promise.all(
    names.map(async (name) => {
      const device = await quietly(realpath(`/sys/class/net/${name}/device`));
      return device && quietly(readFile(`/sys/class/net/${name}/address`, 'utf8'));
    }),
  );
  return hashOfCards(addresses.map((address) => address?.trim() ?? ''));
}

function otherCards(): string {
  const cards = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const found = hashOfCards(cards.filter(({ internal }) => !internal).map(({ mac }) => mac));
  return found === UNKNOWN ? UNKNOWN : shortHash(`${found} ${hostname()}`);
}

function hashOfCards(addresses: readonly string[]): string {
  const real = [...new Set(addresses)].filter((address) => /[1-9a-f]/i.test(address));
  return real.length === 0 ? UNKNOWN : shortHash(real.toSorted().join(' '));
}

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Null for what is not there, or hidden: an identity has "unknown" for it. */
async function quietly<T>(reading: Promise<T>): Promise<T | null> {
  return reading.catch(() => null);
}
