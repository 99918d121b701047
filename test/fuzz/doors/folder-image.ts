import { readdir, readFile } from 'node:fs/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Files } from '#core/disk/files.ts';
import type { SecretRef } from '#core/vault/vault.ts';
import { runService, type HttpAnswer, type RunningService } from '../../helpers/service/running-service.ts';
import { mutated, type Mutation } from './mutate.ts';
import { openParts, textsOf, type Parts } from './open-parts.ts';
import { memoryFiles } from '../../faults/memory-files.ts';
import { Disk } from '../../faults/disk.ts';

/* Data directories as services leave them, and what is in them. */

/** Files by their path in the directory. */
export type Image = ReadonlyMap<string, Buffer>;

/** What is in a directory. */
export interface Held {
  /** Rows of the metadata, as text. */
  readonly rows: readonly string[];
  readonly tokens: readonly (string | null)[];
  /** Records of each device, oldest first, as text. */
  readonly records: readonly (readonly string[])[];
}

/** A directory at some moment, and what was in it earlier or later: its files may be those of then. */
export interface Moment {
  readonly image: Image;
  readonly older: Image;
  readonly held: Held;
}

export interface Known {
  /** As a crash left it in the middle of its work, as a stop did before, and as one did later, with many devices. */
  readonly moments: readonly [crashed: Moment, stopped: Moment, many: Moment];
  readonly devices: readonly SecretRef[];
  /** All that was ever in it; of the same devices, in their order. */
  readonly written: Held;
}

const RECORDS = 40;
/** More than a block holds. */
const IMPORTED = 1100;
/** More than a stop moves to segments: their records are carried on in the log. */
const MANY = 66;

/** A directory with projects, devices, tokens, receipts and records, made by a service. */
export async function makeKnown(): Promise<Known> {
  const directory = await mkdtemp(join(tmpdir(), 'fieldbench-fuzz-'));
  try {
    const first = await fill(directory, { devices: 2, records: RECORDS, before: [] }, deleteOne);
    const stopped = await imageOf(directory);
    const second = await fill(directory, { devices: 2, records: RECORDS, before: first.made }, importSome);
    const before = [...first.made, ...second.made];
    const third = await fill(directory, { devices: MANY, records: 2, before });
    const made = [...before, ...third.made];
    return await knownOf([second.crashed, stopped, await imageOf(directory)], made);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

interface Made {
  readonly ref: SecretRef;
  readonly token: string;
}

/** Makes devices in a project of their own, and records of them and of those before; stops. */
async function fill(
  directory: string,
  {
    devices,
    records,
    before,
  }: { readonly devices: number; readonly records: number; readonly before: readonly Made[] },
  then: (service: RunningService, device: string) => Promise<void> = async () => {},
): Promise<{ crashed: Image; made: readonly Made[] }> {
  const service = await runService({ directory, vault: 'file', passphrase: null });
  try {
    const create = async (path: string, body: object) => {
      const { envelope, text } = await service.request('POST', path, { body });
      if (!envelope.success) throw new Error(text);
      return envelope.data as unknown as { id: string; metadata: { device_token: string } };
    };
    const project_id = (await create('/_local/v1/projects', { name: 'Boiler room' })).id;
    const made: Made[] = [];
    for (let n = 0; n < devices; n++) {
      const { id, metadata } = await create(`/v2/projects/${project_id}/devices`, {
        name: `ESP32 ${n}`,
        source: 'http',
      });
      made.push({ ref: { kind: 'device-token', project_id, device_id: id }, token: metadata.device_token });
    }
    for (const [at, { token }] of [...before, ...made].entries()) {
      const body = Array.from({ length: records }, (_, n) => ({
        timestamp: 1.7e12 + n * 1000,
        n: at * 1000 + n,
        text: `${n % 7}`,
        on: n % 2 === 0,
      }));
      const headers: Record<string, string> =
        at % 2 === 0 ? { 'idempotency-key': `${before.length}-${at}` } : {};
      const stored = await service.request('POST', '/integrations/http', { key: token, body, headers });
      if (stored.status !== 200) throw new Error(stored.text);
    }
    const { ref } = made[0] ?? { ref: null };
    if (ref?.kind === 'device-token')
      await then(service, `projects/${ref.project_id}/devices/${ref.device_id}`);
    return { crashed: await imageOf(directory), made };
  } finally {
    await service.service.close();
  }
}

async function expectDone(asked: Promise<HttpAnswer>): Promise<void> {
  const { envelope, text } = await asked;
  if (!envelope.success) throw new Error(text);
}

/** So that a stop erases the log, and what else is in it moves to segments, with their manifests and receipts. */
async function deleteOne(service: RunningService, device: string): Promise<void> {
  const moment = '2023-11-14T22:13:20Z';
  await expectDone(service.request('DELETE', `/_local/v1/${device}/records?start=${moment}&end=${moment}`));
}

/** The record that is deleted, of the first device. */
const DELETED = '{"timestamp":"2023-11-14T22:13:20.000000Z","n":0,"on":true,"text":"0"}';

/** Segments of several blocks. */
async function importSome(service: RunningService, device: string): Promise<void> {
  const lines = Array.from({ length: IMPORTED }, (_, n) => `{"timestamp":${1.71e12 + n * 1000},"i":${n}}`);
  const raw = { type: 'application/x-ndjson', bytes: lines.join('\n') };
  await expectDone(service.request('POST', `/_local/v1/${device}/records`, { raw }));
}

async function imageOf(directory: string): Promise<Image> {
  const image = new Map<string, Buffer>();
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    // Who uses the directory is no part of what it holds.
    if (entry.isFile() && !entry.name.startsWith('lock'))
      image.set(relative(directory, path), await readFile(path));
  }
  return image;
}

async function knownOf(
  [crashed, stopped, many]: readonly [Image, Image, Image],
  made: readonly Made[],
): Promise<Known> {
  const devices = made.map(({ ref }) => ref);
  const heldIn = async (image: Image): Promise<Held> => {
    const files = memoryFiles(new Disk(), []);
    await layOut(files, image);
    const parts = await openParts(files, FOLDER);
    try {
      return await heldBy(parts, devices);
    } finally {
      await parts.close();
    }
  };
  const moments: Known['moments'] = [
    { image: crashed, older: stopped, held: await heldIn(crashed) },
    { image: stopped, older: crashed, held: await heldIn(stopped) },
    { image: many, older: crashed, held: await heldIn(many) },
  ];
  const last = moments[2].held;
  const rows = new Set(moments.flatMap(({ held }) => held.rows));
  // What was deleted is kept, and counts again where its manifest is rebuilt: docs/storage-format.md, "What was deleted".
  const records = last.records.map((each, at) => (at === 0 ? [...each, DELETED] : each));
  const tokens = made.map(({ token }) => token);
  return { moments, devices, written: { rows: [...rows], tokens, records } };
}

export async function heldBy(parts: Parts, devices: readonly SecretRef[]): Promise<Held> {
  const records: string[][] = [];
  for (const ref of devices)
    if (ref.kind === 'device-token') records.push(await textsOf(parts.records, ref.device_id));
  return {
    rows: await parts.rows(),
    tokens: await Promise.all(devices.map((ref) => parts.vault.get(ref))),
    records,
  };
}

export const FOLDER = '/folder';

/** Writes an image into a folder. */
export async function layOut(files: Files, image: Image, folder = FOLDER): Promise<void> {
  await files.makeDirectory(folder);
  for (const [path, bytes] of image) {
    const full = join(folder, path);
    await files.makeDirectory(dirname(full));
    const file = files.openForWriting(full, true);
    file.writeNow(bytes, 0);
    file.close();
  }
}

/** What happens to one of the files, chosen by its place among them. */
export interface Damage {
  readonly file: number;
  readonly what: 'bytes' | 'lines' | 'remove' | 'empty' | 'older' | 'newer';
  readonly changes: readonly Mutation[];
}

/** The image with all of the damage done, and which files it is in. */
export function damaged(
  { image, older }: Moment,
  all: readonly Damage[],
): { readonly image: Image; readonly hit: Image } {
  const result = new Map(image);
  const hit = new Map<string, Buffer>();
  const paths = [...image.keys()];
  for (const { file, what, changes } of all) {
    const path = paths[file % paths.length] ?? '';
    const bytes = result.get(path);
    if (!bytes) continue;
    const next = {
      bytes: () => mutatedWhereUsed(bytes, changes),
      lines: () => withOtherLines(bytes, changes),
      remove: () => undefined,
      empty: () => Buffer.alloc(0),
      older: () => older.get(path),
      newer: () => ofNewerVersion(bytes),
    }[what]();
    if (next) result.set(path, next);
    else result.delete(path);
    hit.set(path, next ?? Buffer.alloc(0));
  }
  return { image: result, hit };
}

/** Of a log file most is zeros, where damage shows nothing. */
function mutatedWhereUsed(bytes: Buffer, changes: readonly Mutation[]): Buffer {
  const used = bytes.findLastIndex((byte) => byte !== 0) + 1 + END_OF_LOG;
  const result = mutated(bytes.subarray(0, used), changes);
  const isCut = changes.some(({ kind }) => kind === 'cut');
  return isCut ? result : Buffer.concat([result, bytes.subarray(used)]);
}

/** Zeros behind the last unit that belong to it. */
const END_OF_LOG = 32;

/** Whole lines are removed, doubled or change places. */
function withOtherLines(bytes: Buffer, changes: readonly Mutation[]): Buffer {
  const lines = bytes.toString('latin1').split(/(?<=\n)/);
  for (const { kind, at } of changes) {
    const place = Math.floor((at / 65_536) * lines.length);
    const taken = lines.splice(place, 1);
    if (kind === 'double') lines.splice(place, 0, ...taken, ...taken);
    else if (kind !== 'remove' && kind !== 'cut') lines.splice(place + 1, 0, ...taken);
  }
  return Buffer.from(lines.join(''), 'latin1');
}

/** What a Fieldbench that is yet to come would write, where the file says its version (docs/storage-format.md). */
function ofNewerVersion(bytes: Buffer): Buffer {
  if (bytes.length >= 8 && bytes.toString('latin1', 0, 2) === 'FB') {
    const newer = Buffer.from(bytes);
    newer.writeUInt32LE(99, 4);
    return newer;
  }
  const text = bytes.toString('latin1');
  return Buffer.from(
    text.replaceAll(/("version": ?|^fieldbench-[a-z]+ )\d+/gm, (_, before: string) => `${before}99`),
    'latin1',
  );
}
