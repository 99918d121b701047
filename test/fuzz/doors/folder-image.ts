import { readdir, readFile } from 'node:fs/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { Files } from '#core/disk/files.ts';
import type { SecretRef } from '#core/vault/vault.ts';
import { runService } from '../../helpers/running-service.ts';
import { mutated, type Mutation } from './mutate.ts';
import { openParts, textsOf } from './open-parts.ts';
import { memoryFiles } from '../../faults/memory-files.ts';
import { Disk } from '../../faults/disk.ts';

/* Data directories as services leave them, and what is in them. */

/** Files by their path in the directory. */
export type Image = ReadonlyMap<string, Buffer>;

export interface Known {
  /** As a crash left it in the middle of its work, and as a stop did. */
  readonly images: readonly Image[];
  /** Rows of the metadata, as text. */
  readonly rows: readonly string[];
  readonly tokens: readonly { readonly ref: SecretRef; readonly token: string }[];
  /** Records of each device, oldest first, as text. */
  readonly records: ReadonlyMap<string, readonly string[]>;
}

/** What happens to one of the files, chosen by its place among them. */
export interface Damage {
  readonly file: number;
  readonly what: 'bytes' | 'remove' | 'empty' | 'older';
  readonly changes: readonly Mutation[];
}

/** Records enough that some are in segments and some in the write-ahead log only. */
const RECORDS = 40;

/** A directory with projects, devices, tokens and records, made by a service. */
export async function makeKnown(): Promise<Known> {
  const directory = await mkdtemp(join(tmpdir(), 'fieldbench-fuzz-'));
  try {
    const first = await fill(directory, 2);
    const stopped = await imageOf(directory);
    const crashed = await fill(directory, 2, first);
    return await knownOf([crashed.image, stopped], [...first.tokens, ...crashed.tokens]);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

type Tokens = Known['tokens'];

async function fill(
  directory: string,
  devices: number,
  before: { readonly tokens: Tokens } = { tokens: [] },
): Promise<{ image: Image; tokens: Tokens }> {
  const service = await runService({ directory, vault: 'file', passphrase: null });
  try {
    const create = async (path: string, body: object) => {
      const { envelope, text } = await service.request('POST', path, { body });
      if (!envelope.success) throw new Error(text);
      return envelope.data as unknown as { id: string; metadata: { device_token: string } };
    };
    const project_id = (await create('/_local/v1/projects', { name: 'Boiler room' })).id;
    const tokens = [];
    for (let n = 0; n < devices; n++) {
      const made = await create(`/v2/projects/${project_id}/devices`, { name: `ESP32 ${n}`, source: 'http' });
      const ref = { kind: 'device-token', project_id, device_id: made.id } as const;
      tokens.push({ ref, token: made.metadata.device_token });
    }
    for (const [at, { token }] of [...before.tokens, ...tokens].entries()) {
      const records = Array.from({ length: RECORDS }, (_, n) => ({
        n: at * 1000 + n,
        text: `${n % 7}`,
        on: n % 2 === 0,
      }));
      const body = records.map((record, n) => ({ timestamp: 1.7e12 + n * 1000, ...record }));
      const stored = await service.request('POST', '/integrations/http', { key: token, body });
      if (stored.status !== 200) throw new Error(stored.text);
    }
    return { image: await imageOf(directory), tokens };
  } finally {
    await service.service.close();
  }
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

async function knownOf(images: readonly Image[], tokens: Tokens): Promise<Known> {
  const [crashed = new Map<string, Buffer>()] = images;
  const files = memoryFiles(new Disk(), []);
  await layOut(files, crashed);
  const parts = await openParts(files, FOLDER);
  try {
    const records = new Map<string, readonly string[]>();
    for (const { ref } of tokens)
      if (ref.kind === 'device-token')
        records.set(ref.device_id, await textsOf(parts.records, ref.device_id));
    return { images, rows: await parts.rows(), tokens, records };
  } finally {
    await parts.close();
  }
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

/** The image with all of the damage done, and which files it is in. */
export function damaged(image: Image, older: Image, all: readonly Damage[]): { image: Image; hit: Image } {
  const result = new Map(image);
  const hit = new Map<string, Buffer>();
  for (const { file, what, changes } of all) {
    const paths = [...image.keys()];
    const path = paths[file % paths.length] ?? '';
    const bytes = result.get(path);
    if (!bytes) continue;
    const next = {
      bytes: mutated(bytes, changes),
      remove: undefined,
      empty: Buffer.alloc(0),
      older: older.get(path),
    }[what];
    if (next) result.set(path, next);
    else result.delete(path);
    hit.set(path, next ?? Buffer.alloc(0));
  }
  return { image: result, hit };
}
