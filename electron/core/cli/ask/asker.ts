import { env } from 'node:process';
import {
  operationOf,
  type InputOf,
  type OperationId,
  type OutputOf,
  type UploadId,
} from '#shared/operations/index.ts';
import type { Envelope } from '#shared/schema/envelope.ts';
import { Refusal, UsageError } from '../../base/errors.ts';
import { CONTROL_PATHS, TAKEN_FILES, type JobProgress, type TakenFile } from '../../control/messages.ts';
import { nodeFiles } from '../../disk/files.ts';
import { readWhole } from '../../disk/whole-file.ts';
import type { DoorPlaces } from '../../remote/device-door/door.ts';
import { doorPlaces } from '../../remote/device-door/open-door.ts';
import { FILE_SILENCE_MS, openTarget, type Target } from '../../remote/target.ts';
import { givenPath } from '../parse.ts';
import { refusal } from '../refusal.ts';
import { dataDirectory } from '../serve/configure.ts';
import { askFile, type Beginning, type ComingFile } from './ask-file.ts';
import { askJob } from './ask-job.ts';
import { askTarget, besideFile, checkAt, doorsAt, downloadFrom, sendToTarget } from './ask-target.ts';
import { askOperation } from './call.ts';
import { sendFile } from './send-file.ts';

/** Operations that take a file and that the socket of a data directory knows. */
export type AskedUpload = Extract<UploadId, (typeof TAKEN_FILES)[TakenFile]>;

/** Whom a command asks: the service of a data directory, or with `--url` one that is reached over HTTP. */
export interface Asker {
  /** Runs an operation; a refusal is an envelope. Rejects with UnreachableError where nobody answers. */
  operation<Id extends OperationId>(id: Id, input: InputOf<Id>): Promise<Envelope>;
  /** The same, with its data. `flags`: by field of it, the flag that says it. Rejects with CommandError, too. */
  data<Id extends OperationId>(id: Id, input: InputOf<Id>, flags?: FlagsOf): Promise<OutputOf<Id>>;
  /** The same of one that takes a file; rejects as its bytes do, too. */
  upload<Id extends AskedUpload>(
    id: Id,
    input: InputOf<Id>,
    bytes: AsyncIterable<Uint8Array>,
    flags?: FlagsOf,
  ): Promise<OutputOf<Id>>;
  /** Asks for an export, or its rest; a refusal is an envelope. Rejects with UnreachableError. */
  readonly exported: (fields: Fields, beginning: Beginning | null) => Promise<ComingFile | Envelope>;
  /** Asks for a backup, with secrets where there is a passphrase; otherwise as `exported`. */
  readonly backup: (fields: Fields, passphrase: string | null) => Promise<ComingFile | Envelope>;
  /** Asks for every line of the audit trail, or of a former one; as `exported`. */
  readonly audit: (fields: Fields) => Promise<ComingFile | Envelope>;
  /** Asks for the excursions of a key as CSV; as `exported`. */
  readonly excursions: (fields: Fields) => Promise<ComingFile | Envelope>;
  /** Asks for a package of devices; as `exported`. */
  readonly handover: (input: InputOf<'handover.get'>) => Promise<ComingFile | Envelope>;
  /** Has it check its records; `progress` is called now and then. Otherwise as `operation`. */
  readonly check: (progress: (now: JobProgress) => void) => Promise<Envelope>;
  /** Where devices store. Rejects as `data` does. */
  doors(): Promise<DoorPlaces>;
  close(): void;
}

type Fields = Readonly<Record<string, string>>;

/** By field of an operation, the flag that says it. */
type FlagsOf = Readonly<Record<string, string>>;

export const ASKER_FLAGS = {
  data: { type: 'string' },
  url: { type: 'string' },
  key: { type: 'string' },
  ca: { type: 'string' },
} as const;

export const ASKER_FLAGS_HELP = `  --data DIR          data directory (default: the per-user folder); or
  --url URL           the address of a service, of this machine or another (http://127.0.0.1:7480)
  --key KEY           with --url: the API key; others on this machine do not see it in FIELDBENCH_KEY
  --ca FILE           with --url: the certificate that signed the service's own (its ca_file)`;

type Given = { readonly [Flag in keyof typeof ASKER_FLAGS]?: string | undefined };

/** Returns whom the flags mean. Rejects with UsageError. */
export async function askerOf({ data, url, key, ca }: Given): Promise<Asker> {
  if (url === undefined) {
    const [other] = Object.entries({ key, ca }).filter(([, value]) => value !== undefined);
    if (other) throw new UsageError(`--${other[0]} is for a --url, and none is given.`);
    return ofDirectory(dataDirectory(givenPath('data', data)));
  }
  if (data !== undefined) throw new UsageError('--data and --url name two services: leave one of them away.');
  const api_key = key ?? env['FIELDBENCH_KEY'] ?? '';
  if (api_key === '') throw new UsageError('--url needs an API key: in --key, or in FIELDBENCH_KEY.');
  return ofTarget(targetOf(url, api_key, ca === undefined ? null : await certificateIn(ca)));
}

const ofDirectory = (directory: string): Asker =>
  asker({
    operation: (id, input) => askOperation(directory, id, input),
    exported: (fields, beginning) => askFile(directory, CONTROL_PATHS.export, fields, beginning),
    upload: (id, input, bytes) =>
      sendFile(directory, pathOf(id), besideFile(input, operationOf(id).headers ?? {}), bytes),
    backup: (fields, passphrase) =>
      passphrase === null
        ? askFile(directory, CONTROL_PATHS.backup, fields, null)
        : askFile(directory, CONTROL_PATHS.backup, { ...fields, passphrase }, null, 'POST'),
    audit: (fields) => askFile(directory, CONTROL_PATHS.audit, fields, null),
    excursions: (fields) => askFile(directory, CONTROL_PATHS.excursions, fields, null),
    handover: (input) => askFile(directory, CONTROL_PATHS.handover, input, null, 'POST'),
    check: (progress) => askJob(directory, 'storage.check', {}, progress),
    async doors(status) {
      const { ca_certificate, ...urls } = await status();
      return doorPlaces(urls, ca_certificate);
    },
    close: () => {},
  });

const ofTarget = (target: Target): Asker =>
  asker({
    operation: (id, input) => askTarget(target, id, input),
    exported: (fields, beginning) => downloadFrom(target, 'records.export', fields, beginning),
    upload: (id, input, bytes) => sendToTarget(target, id, input, bytes),
    backup: (fields, passphrase) =>
      passphrase === null
        ? downloadFrom(target, 'backup.get', fields, null, FILE_SILENCE_MS)
        : downloadFrom(target, 'backup.with-secrets', { ...fields, passphrase }, null, FILE_SILENCE_MS),
    audit: (fields) => downloadFrom(target, 'audit.export', fields, null),
    excursions: (fields) => downloadFrom(target, 'excursions.export', fields, null),
    handover: (input) => downloadFrom(target, 'handover.get', input, null, FILE_SILENCE_MS),
    check: (progress) => checkAt(target, progress),
    doors: async (status) => doorsAt(target, await status()),
    close: () => target.close(),
  });

type Status = OutputOf<'status.get'>;

interface Way {
  readonly exported: Asker['exported'];
  readonly backup: Asker['backup'];
  readonly audit: Asker['audit'];
  readonly excursions: Asker['excursions'];
  readonly handover: Asker['handover'];
  readonly check: Asker['check'];
  readonly close: () => void;
  readonly operation: (id: OperationId, input: object) => Promise<Envelope>;
  readonly upload: (id: AskedUpload, input: object, bytes: AsyncIterable<Uint8Array>) => Promise<Envelope>;
  readonly doors: (status: () => Promise<Status>) => Promise<DoorPlaces>;
}

function dataIn(envelope: Envelope, flags?: FlagsOf): unknown {
  if (!envelope.success) throw refusal(envelope, flags);
  return envelope.data;
}

function asker({ operation, upload, doors, ...others }: Way): Asker {
  return {
    ...others,
    operation,
    async data<Id extends OperationId>(id: Id, input: InputOf<Id>, flags?: FlagsOf) {
      return dataIn(await operation(id, input), flags) as OutputOf<Id>;
    },
    async upload<Id extends AskedUpload>(
      id: Id,
      input: InputOf<Id>,
      bytes: AsyncIterable<Uint8Array>,
      flags?: FlagsOf,
    ) {
      return dataIn(await upload(id, input, bytes), flags) as OutputOf<Id>;
    },
    doors: () => doors(async () => dataIn(await operation('status.get', {})) as Status),
  };
}

/** Returns the path of the socket for an operation that takes a file. */
function pathOf(id: AskedUpload): TakenFile {
  const found = (Object.keys(TAKEN_FILES) as TakenFile[]).find((path) => TAKEN_FILES[path] === id);
  if (found === undefined) throw new Error(`The socket takes no file for ${id}.`);
  return found;
}

function targetOf(address: string, api_key: string, certificate: string | null): Target {
  try {
    return openTarget({ address, certificate, api_key });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new UsageError(`--url: ${error.message}.`);
  }
}

async function certificateIn(file: string): Promise<string> {
  const bytes = await readWhole(nodeFiles, file);
  if (bytes === null) throw new UsageError(`--ca takes a file that is there, got "${file}".`);
  return bytes.toString('utf8');
}
