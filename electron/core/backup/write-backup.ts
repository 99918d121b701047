import { createHash } from 'node:crypto';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import { VERSION } from '../base/version.ts';
import type { BackupRecords, DeviceMoment } from '../store/backup-records.ts';
import { SCHEMA_VERSION, type Settings } from '../store/metadata/metadata-schema.ts';
import type { Head } from '../store/trail/chain.ts';
import { toldTrail, type StoredLine, type Trail } from '../store/trail/trail.ts';
import { Pace } from '../turns/pace.ts';
import {
  aboutFormat,
  blocksOf,
  leftOut,
  MANIFEST,
  ROWS,
  SECRETS,
  stateOf,
  trailOf,
  writtenState,
  type BackupManifest,
  type Member,
} from './backup-format.ts';
import type { BackupRow, BackupScope } from './backup-rows.ts';
import type { SealedSecrets } from './sealed-secrets.ts';
import { writeTar, type TarMember } from './tar.ts';
import { undamaged } from './undamaged.ts';

/** Audit trail of a backup, as it is at one moment. */
export interface BackupTrail {
  readonly first: number;
  readonly head: Head;
  readonly lines: Trail['lines'];
}

export interface BackupParts {
  readonly records: BackupRecords;
  readonly settings: Settings;
  /** In the order of their tables, and of their making in each. */
  readonly rows: readonly BackupRow[];
  /** Trail of the installation, then former ones; none of a part. */
  readonly trails: readonly BackupTrail[];
  /** Null: they are left out. */
  readonly secrets: SealedSecrets | null;
  readonly scope: BackupScope;
  readonly now: Micros;
  /** Whether any of its secrets was made with a seed. */
  readonly isGuessable: boolean;
  readonly signal: AbortSignal;
}

/** A backup that is ready to be written: all of its devices are held as they are. */
export interface PreparedBackup {
  readonly manifest: BackupManifest;
  /** The file, piece by piece. */
  write(): AsyncGenerator<Uint8Array>;
  release(): Promise<void>;
}

type Content = () => AsyncIterable<Uint8Array>;

/**
 * Reads all that goes into a backup once, for the digests that stand at its beginning, and holds it until it is released: each
 * device as it is when it is read. Rejects with StoreError, or as the signal's reason.
 */
export async function prepareBackup(parts: BackupParts): Promise<PreparedBackup> {
  const { rows, secrets, settings, scope, trails, now, isGuessable, signal } = parts;
  const moments: DeviceMoment[] = [];
  const members: Member[] = [];
  const contents: Content[] = [];
  let records = 0;
  const release = async () => {
    for (const moment of moments.splice(0)) await moment.release();
  };
  const add = async (name: string, content: Content) => {
    members.push({ name, ...(await digestOf(content, signal)) });
    contents.push(content);
  };
  const addDevice = async (device: string) => {
    const moment = await parts.records.moment(device);
    moments.push(moment);
    const digest = await digestOf(() => moment.blocks(), signal);
    await add(stateOf(device), () => oneOf(Buffer.from(writtenState(moment.state))));
    if (digest.bytes === 0) return;
    members.push({ name: blocksOf(device), ...digest });
    contents.push(() => moment.blocks());
    records += moment.records;
  };
  try {
    await add(ROWS, () => linesOf(rows));
    if (secrets !== null) await add(SECRETS, () => allOf(secrets.lines));
    for (const { head, lines } of trails) {
      const name = trailOf(head.hash);
      const digest = await digestOf(() => textsOf(lines()), signal);
      members.push({ name, ...digest });
      contents.push(() => firstBytes(textsOf(lines()), digest.bytes));
    }
    const devices = rows.flatMap(({ table, row }) => (table === 'devices' ? [row.id] : []));
    for (const device of devices) await undamaged(() => addDevice(device));
    const manifest: BackupManifest = {
      ...aboutFormat,
      made_at: formatMicros(now),
      made_by: VERSION,
      metadata_version: SCHEMA_VERSION,
      installation_id: settings.installation_id,
      default_account_id: settings.default_account_id,
      ...scope,
      projects: rows.filter(({ table }) => table === 'projects').length,
      devices: devices.length,
      records,
      guessable: isGuessable,
      ...(secrets !== null && { secrets: secrets.count }),
      ...(trails.length > 0 && {
        trails: trails.map(({ first, head }) => toldTrail({ first, ...head })),
      }),
      left_out: leftOut(secrets !== null, scope.project_id !== null),
      members,
    };
    const head = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
    const files: readonly TarMember[] = [
      { name: MANIFEST, bytes: head.length, content: () => oneOf(head) },
      ...members.map(({ name, bytes }, i) => ({ name, bytes, content: contents[i]! })),
    ];
    return {
      manifest,
      write: () => writeTar(files, new Date(now / 1000)),
      release,
    };
  } catch (error) {
    await release();
    throw error;
  }
}

async function* linesOf(rows: readonly BackupRow[]): AsyncGenerator<Uint8Array> {
  const pace = new Pace();
  for (const row of rows) {
    yield Buffer.from(`${JSON.stringify(row)}\n`);
    await pace.pause();
  }
}

async function* textsOf(lines: AsyncIterable<StoredLine>): AsyncGenerator<Uint8Array> {
  const pace = new Pace();
  for await (const { text } of lines) {
    yield Buffer.from(`${text}\n`);
    await pace.pause();
  }
}

/** Without lines that came since. */
async function* firstBytes(pieces: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const piece of pieces) {
    if (left === 0) return;
    yield piece.subarray(0, left);
    left -= Math.min(left, piece.length);
  }
}

async function* allOf(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

const oneOf = (bytes: Uint8Array) => allOf([bytes]);

async function digestOf(content: Content, signal: AbortSignal): Promise<Omit<Member, 'name'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of content()) {
    signal.throwIfAborted();
    hash.update(piece);
    bytes += piece.byteLength;
  }
  return { bytes, sha256: hash.digest('hex') };
}
