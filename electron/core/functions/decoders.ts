import { DECODER, payloadForm, type PayloadForm } from '#shared/domain/decoders.ts';
import { andThen } from '../base/awaitable.ts';
import type { PayloadDecoders } from '../ingest/ingest.ts';
import type { PayloadSource } from '../ingest/upload.ts';
import type { Metadata } from '../store/metadata/metadata.ts';
import type { StoredDevice, StoredFunction } from '../store/metadata/metadata-schema.ts';
import type { StoredRecord } from '../store/store.ts';
import { recordOf } from './decoded-record.ts';
import { ENTRY, inputOf, programOf } from './decoder-glue.ts';
import type { Outcome } from './sandbox/outcome.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import { portOf, readUplinks, type Uplink } from './uplinks.ts';

/** Script, and the form of the payloads that it takes. */
export interface Decoder {
  readonly script: string;
  readonly form: PayloadForm;
}

type Row = Pick<StoredFunction, 'script' | 'condition'>;
type Device = Pick<StoredDevice, 'id' | 'project_id'>;

/** Decoders of devices (docs/functions.md). */
export interface Decoders extends PayloadDecoders {
  /**
   * Returns what reads the payloads of a device. It rejects with a 400 Refusal where they are not in the decoder's form, and as
   * `source.bytes` does; whatever the script does, there is a record.
   */
  readerOf(device: Device): ReturnType<PayloadDecoders['readerOf']>;
  /** Resolves with a record for each payload, in order. */
  decode(uplinks: readonly Uplink[], device: Device, decoder: Decoder): Promise<readonly StoredRecord[]>;
}

/** Returns the function that decodes for a device: of the enabled ones the first. */
export function decoderAmong(functions: readonly StoredFunction[]): StoredFunction | null {
  return functions.find(isDecoding) ?? null;
}

/** Whether a function decodes what its device sends, once it is the first one that does. */
const isDecoding = (row: StoredFunction): boolean =>
  row.type === DECODER && row.enabled && decoderOf(row) !== null;

/** Decoders of rows, which never change: each payload asks for one. */
const known = new WeakMap<Row, Decoder | null>();

/** Returns what a decoder's row says; null where it lacks the script, or the form of payloads. */
export function decoderOf(row: Row): Decoder | null {
  let found = known.get(row);
  if (found === undefined) known.set(row, (found = readDecoder(row)));
  return found;
}

function readDecoder({ script, condition }: Row): Decoder | null {
  const form = payloadForm(condition);
  return script === null || typeof form === 'string' ? null : { script, form };
}

export function createDecoders({
  metadata,
  sandbox,
}: {
  readonly metadata: Pick<Metadata, 'read'>;
  readonly sandbox: Pick<Sandbox, 'run'>;
}): Decoders {
  async function decode(
    uplinks: readonly Uplink[],
    { project_id }: Device,
    { script, form }: Decoder,
  ): Promise<readonly StoredRecord[]> {
    const program = programOf(script);
    const records: StoredRecord[] = [];
    let characters = 0;
    for (let from = 0; from < uplinks.length; from += AT_ONCE) {
      const some = uplinks.slice(from, from + AT_ONCE);
      const inputs = some.map((uplink) => inputOf(uplink, portOf(uplink, form)));
      const outcomes = await sandbox.run(project_id, program, ENTRY, inputs);
      for (const [i, uplink] of some.entries()) {
        const outcome = outcomes[i] ?? NO_OUTCOME;
        if (outcome.ok) characters += outcome.text.length;
        records.push(recordOf(uplink, characters > MOST_CHARACTERS ? TOO_MUCH : outcome));
      }
    }
    return records;
  }

  async function read({ bytes, contentType, now }: PayloadSource, device: Device, decoder: Decoder) {
    const whole = bytes instanceof Uint8Array ? Buffer.from(bytes) : await gathered(bytes);
    const found = readUplinks(decoder.form, { contentType, bytes: whole, received: now() });
    const decoded = (await decode(found.filter(isUplink), device, decoder))[Symbol.iterator]();
    const records = found.map((each) => (isUplink(each) ? nextOf(decoded) : each));
    const undecoded = (why: string) =>
      found.map((each) => (isUplink(each) ? recordOf(each, failed(why)) : each));
    return { count: records.length, records, undecoded };
  }

  return {
    readerOf: (device) =>
      metadata.read((tables) =>
        andThen(tables.list('functions', { device_id: device.id }), (functions) => {
          const found = decoderAmong(functions);
          const decoder = found && decoderOf(found);
          return decoder && ((source: PayloadSource) => read(source, device, decoder));
        }),
      ),
    decode,
  };
}

/** Payloads that are handed to the sandbox at once, each of which may come to 256 KiB. */
const AT_ONCE = 256;
/** Characters that a decoder may return for all payloads of a request together: what they hold is in memory until it is stored. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

const failed = (message: string): Outcome => ({ ok: false, kind: 'thrown', message });
const NO_OUTCOME = failed('the decoder gave no answer');
const TOO_MUCH = failed(
  'the decoder returned more than 33,554,432 characters for the payloads of one request',
);

const isUplink = (each: Uplink | StoredRecord): each is Uplink => 'bytes' in each;

function nextOf(records: Iterator<StoredRecord, unknown>): StoredRecord {
  const { done, value } = records.next();
  if (done === true) throw new TypeError('each payload has a record');
  return value;
}

async function gathered(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
