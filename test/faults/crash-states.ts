import { crc32 } from 'node:zlib';
import { Disk, type Node, type Operation } from './disk.ts';

/*
 * What a power cut may leave (in the manner of ALICE: Pillai et al., "All File Systems Are Not Created Equal",
 * OSDI 2014). What a successful sync covered is there. Of the rest, anything may be: writes reach the disk in any
 * order, in part, or as a size without the bytes; names of a folder are kept until that folder is synced by luck only.
 * After a failed sync the system drops what it could not write, so a later sync does not cover it (Rebello et al.,
 * "Can Applications Recover from fsync Failures?", ATC 2020).
 */

/**
 * What becomes of one operation that no sync covered. `bytes`: only so many arrive. `zeros`: the size alone. `arrives`: of each sector in
 * turn, whether its bytes arrive.
 */
type Fate = 'kept' | 'lost' | 'zeros' | { readonly bytes: number } | { readonly arrives: () => boolean };

export interface CrashState {
  /** How it came to be, for a person. */
  readonly name: string;
  readonly disk: Disk;
}

/** Only the last operations that are pending are lost or kept one by one; all of them together always. */
const ONE_BY_ONE = 10;
const SECTOR_BYTES = 512;

/** Every distinct state worth looking at after a power cut behind the first `length` operations. */
export function* crashStates(
  trace: readonly Operation[],
  length: number,
  base = new Disk(),
): Generator<CrashState> {
  const seen = new Set<string>();
  for (const [name, fate] of fates(trace, pendingOf(trace, length))) {
    const disk = base.copy();
    for (let i = 0; i < length; i++) applyAs(disk, operationAt(trace, i), fate(i));
    const print = fingerprint(disk);
    if (seen.has(print)) continue;
    seen.add(print);
    yield { name: `power cut after ${length} file operations, ${name}`, disk };
  }
}

/** One state, where each pending operation's fate is drawn. `random` answers from 0 up to, not including, 1. */
export function randomCrashState(trace: readonly Operation[], random: () => number, base = new Disk()): Disk {
  const pending = new Set(pendingOf(trace, trace.length));
  const disk = base.copy();
  for (const [i, operation] of trace.entries())
    applyAs(disk, operation, pending.has(i) ? drawFate(operation, random) : 'kept');
  return disk;
}

function drawFate(operation: Operation, random: () => number): Fate {
  const draw = random();
  if (operation.kind !== 'write' || draw < 0.6) return draw < 0.4 ? 'lost' : 'kept';
  if (draw < 0.75) return 'zeros';
  if (draw < 0.88) return { bytes: Math.floor(random() * operation.bytes.length) };
  return { arrives: () => random() < 0.5 };
}

type Plan = readonly [name: string, fate: (operation: number) => Fate];

function* fates(trace: readonly Operation[], pending: readonly number[]): Generator<Plan> {
  const isPending = new Set(pending);
  const of = (fate: (i: number) => Fate) => (i: number) => (isPending.has(i) ? fate(i) : 'kept');
  yield ['everything kept', of(() => 'kept')];
  if (pending.length === 0) return;
  yield ['everything lost that was not synced', of(() => 'lost')];
  const isWrite = (i: number) => ['write', 'truncate'].includes(operationAt(trace, i).kind);
  yield ['names kept, bytes lost', of((i) => (isWrite(i) ? 'lost' : 'kept'))];
  yield ['names and sizes kept, bytes lost', of((i) => (isWrite(i) ? 'zeros' : 'kept'))];
  yield ['bytes kept, names lost', of((i) => (isWrite(i) ? 'kept' : 'lost'))];
  for (const one of pending.slice(-ONE_BY_ONE)) {
    const operation = operationAt(trace, one);
    const what = `${operation.kind} (operation ${one})`;
    yield [`only ${what} lost`, of((i) => (i === one ? 'lost' : 'kept'))];
    yield [`only ${what} kept`, of((i) => (i === one ? 'kept' : 'lost'))];
    if (operation.kind !== 'write') continue;
    yield [`${what} as zeros`, of((i) => (i === one ? 'zeros' : 'kept'))];
    for (const bytes of tears(operation.bytes.length))
      yield [`${what} torn after ${bytes} bytes`, of((i) => (i === one ? { bytes } : 'kept'))];
  }
}

/** Where a write may break off: everywhere interesting, not everywhere. */
function tears(length: number): Set<number> {
  const sector = length - (length % SECTOR_BYTES);
  return new Set(
    [1, 4, 8, 31, 32, 33, length >> 1, sector, length - 1].filter((at) => at > 0 && at < length),
  );
}

/** Operations among the first `length` that no sync covers. */
function pendingOf(trace: readonly Operation[], length: number): number[] {
  const pending: number[] = [];
  for (let i = 0; i < length; i++) {
    const nodes = nodesOf(operationAt(trace, i));
    if (nodes.length > 0 && !isDurable(trace, i, length, nodes)) pending.push(i);
  }
  return pending;
}

/**
 * Whether a sync after an operation covers it. What a failed one did not write of a file is forgotten, so for bytes the
 * first decides; names stay in the journal.
 */
function isDurable(trace: readonly Operation[], at: number, length: number, nodes: readonly Node[]): boolean {
  const { kind } = operationAt(trace, at);
  const areBytes = kind === 'write' || kind === 'truncate';
  for (let i = at + 1; i < length; i++) {
    const later = operationAt(trace, i);
    if (later.kind !== 'sync' && later.kind !== 'failed-sync') continue;
    if (later.since <= at || !nodes.includes(later.node)) continue;
    if (later.kind === 'sync') return true;
    if (areBytes) return false;
  }
  return false;
}

/** What is to be synced so that an operation lasts. */
function nodesOf(operation: Operation): readonly Node[] {
  switch (operation.kind) {
    case 'write':
    case 'truncate':
      return [operation.node];
    case 'make':
    case 'remove':
      return [operation.folder];
    case 'rename':
      // A rename from folder to folder is one step of the journal, which goes to disk with either.
      return [operation.folder, operation.toFolder];
    case 'sync':
    case 'failed-sync':
      return [];
  }
}

function applyAs(disk: Disk, operation: Operation, fate: Fate): void {
  if (fate === 'kept') return disk.apply(operation);
  if (fate === 'lost' || operation.kind !== 'write') return;
  const { node, position, bytes } = operation;
  if (fate !== 'zeros' && 'bytes' in fate)
    return disk.apply({ ...operation, bytes: bytes.subarray(0, fate.bytes) });
  const file = disk.file(node);
  if (position + bytes.length > file.size) file.resize(position + bytes.length);
  if (fate === 'zeros') return;
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(bytes.length, at + SECTOR_BYTES - ((position + at) % SECTOR_BYTES));
    if (fate.arrives()) disk.apply({ ...operation, position: position + at, bytes: bytes.subarray(at, end) });
    at = end;
  }
}

function fingerprint(disk: Disk): string {
  const paths = [...disk.paths()].map(
    ([path, node]) => `${path}:${disk.file(node).size}:${crc32(disk.file(node).bytes)}`,
  );
  return paths.toSorted().join('\n');
}

function operationAt(trace: readonly Operation[], at: number): Operation {
  const operation = trace[at];
  if (!operation) throw new RangeError(`The trace has no operation ${at}.`);
  return operation;
}
