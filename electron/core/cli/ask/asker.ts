import { env } from 'node:process';
import { operationOf, type InputOf, type OperationId, type OutputOf } from '#shared/operations/index.ts';
import type { Envelope } from '#shared/schema/envelope.ts';
import { fillPath } from '#shared/schema/path-parameters.ts';
import { Refusal, UnreachableError, UsageError } from '../../base/errors.ts';
import { nodeFiles } from '../../disk/files.ts';
import { readWhole } from '../../disk/whole-file.ts';
import { RemoteError } from '../../remote/failure.ts';
import { openTarget, type Target } from '../../remote/target.ts';
import { givenPath } from '../parse.ts';
import { refusal } from '../refusal.ts';
import { dataDirectory } from '../serve/configure.ts';
import { askOperation } from './call.ts';

/** Whom a command asks: the service of a data directory, or with `--url` one that is reached over HTTP. */
export interface Asker {
  /** Runs an operation; a refusal is an envelope. Rejects with UnreachableError where nobody answers. */
  operation<Id extends OperationId>(id: Id, input: InputOf<Id>): Promise<Envelope>;
  /** The same, with its data. `flags`: by field of it, the flag that says it. Rejects with CommandError, too. */
  data<Id extends OperationId>(
    id: Id,
    input: InputOf<Id>,
    flags?: Readonly<Record<string, string>>,
  ): Promise<OutputOf<Id>>;
  close(): void;
}

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
    const directory = dataDirectory(givenPath('data', data));
    return asker((id, input) => askOperation(directory, id, input));
  }
  if (data !== undefined) throw new UsageError('--data and --url name two services: leave one of them away.');
  const api_key = key ?? env['FIELDBENCH_KEY'] ?? '';
  if (api_key === '') throw new UsageError('--url needs an API key: in --key, or in FIELDBENCH_KEY.');
  const target = targetOf(url, api_key, ca === undefined ? null : await certificateIn(ca));
  return asker(
    (id, input) => askTarget(target, id, input),
    () => target.close(),
  );
}

function asker(operation: Asker['operation'], close: Asker['close'] = () => {}): Asker {
  return {
    operation,
    async data<Id extends OperationId>(id: Id, input: InputOf<Id>, flags?: Readonly<Record<string, string>>) {
      const envelope = await operation(id, input);
      if (!envelope.success) throw refusal(envelope, flags);
      return envelope.data as OutputOf<Id>;
    },
    close,
  };
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

async function askTarget(target: Target, id: OperationId, input: object): Promise<Envelope> {
  const { method, path, body } = operationOf(id);
  const rest = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const filled = fillPath(path, (name) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  const query = body === 'json' ? '' : new URLSearchParams(rest as Record<string, string>).toString();
  try {
    const address = query === '' ? filled : `${filled}?${query}`;
    return (await target.ask(method, address, body === 'json' ? { body: rest } : {})).envelope;
  } catch (error) {
    if (error instanceof RemoteError) throw new UnreachableError(error.message, { cause: error });
    throw error;
  }
}
