import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { EXPORT_FORMATS } from '#shared/domain/file-formats.ts';
import { countOf } from '#shared/values/counts.ts';
import { alternatives } from '#shared/values/text.ts';
import { errorCode } from '../../disk/errors.ts';
import { nodeFiles } from '../../disk/files.ts';
import { readWhole, writeWhole } from '../../disk/whole-file.ts';
import { UsageError } from '../../base/errors.ts';
import type { Beginning, ComingFile } from './ask-file.ts';
import { ASKER_FLAGS, ASKER_FLAGS_HELP, askerOf, type Asker } from './asker.ts';
import type { Output } from '../output.ts';
import type { ControlCommand } from './control.ts';
import { deviceIdsOf, SCOPE_FLAGS, SCOPE_FLAGS_HELP, scopeOf } from '../names/look-up.ts';
import { holdingsOf } from './names-of-service.ts';
import { givenPath, parseFlags } from '../parse.ts';
import { CommandError, refusal } from '../refusal.ts';

/* `fieldbench records export`: the file that the app and the API make of a device's records. */

const text = { type: 'string' } as const;
/** Flags that are fields of the operation as they are, and what each is called there. */
const SETTINGS = {
  format: 'format',
  start: 'start',
  end: 'end',
  keys: 'keys',
  zone: 'zone',
  delimiter: 'delimiter',
  'decimal-mark': 'decimal_mark',
  titles: 'titles',
  notes: 'notes',
  formulas: 'formulas',
} as const;
type Setting = keyof typeof SETTINGS;
const FLAGS = Object.keys(SETTINGS) as readonly Setting[];
const FLAG_OF = {
  ...Object.fromEntries(FLAGS.map((flag) => [SETTINGS[flag], flag])),
  project_id: 'project',
  device_id: 'device',
  also: 'also',
};
const OPTIONS = {
  ...SCOPE_FLAGS,
  ...(Object.fromEntries(FLAGS.map((flag) => [flag, text])) as Readonly<Record<Setting, typeof text>>),
  ...ASKER_FLAGS,
  also: { type: 'string', multiple: true },
  out: text,
  json: { type: 'boolean' },
} as const;

type Flags = ReturnType<typeof parseFlags<typeof OPTIONS>>;

export const RECORDS_FLAGS_HELP = `${SCOPE_FLAGS_HELP}
  --format F          ${alternatives(EXPORT_FORMATS)} (ndjson)
  --start T, --end T  the first and the last instant, both included (2026-11-18T00:00:00Z)
  --keys A,B          only these (all)
  --out FILE          where to (in this folder, called as the app calls it; - is stdout). A file that
                      was cut off is continued by the same command
  --zone Z, --titles shown
                      of CSV and xlsx, as in docs/local-api.md, "Import and export"
  --delimiter (or tab), --decimal-mark, --notes keep, --formulas escape
                      of CSV alone
  --also D            of xlsx and html: a further device of the project; may be repeated
${ASKER_FLAGS_HELP}
  --json              for machines, errors too

  fieldbench records export --device 'Boiler room/ESP32' --format csv`;

/** `fieldbench records export`. */
export const recordsExport: ControlCommand = async (args, output) => {
  const flags = parseFlags(args, OPTIONS);
  if (flags.device === undefined)
    throw new UsageError('--device is needed: a name, PROJECT/DEVICE or an id. See --help.');
  const out = givenPath('out', flags.out);
  const asker = await askerOf(flags);
  try {
    return await exportBy(asker, flags, out, output);
  } finally {
    asker.close();
  }
};

async function exportBy(asker: Asker, flags: Flags, out: string | null, output: Output): Promise<number> {
  const holdings = holdingsOf((id, input) => asker.operation(id, input));
  const scope = await scopeOf(holdings, flags);
  // An id that is in no project; the words are a service's.
  if (scope.project_id === undefined) throw new CommandError(3, 'Device not found.');
  const settings = Object.fromEntries(
    FLAGS.flatMap((flag) => (flags[flag] === undefined ? [] : [[SETTINGS[flag], flags[flag]]])),
  );
  if (settings['delimiter'] === 'tab') settings['delimiter'] = '\t';
  const also = await deviceIdsOf(holdings, flags.also ?? [], { project: scope.project_id, said: '--also' });
  const fields = { ...scope, ...settings, ...(also.length > 0 && { also: also.join(',') }) };
  const asked: Asked = { asker, fields, isJson: flags.json ?? false };
  return out === '-' ? toStdout(asked) : toFile(asked, out, output);
}

interface Asked {
  readonly asker: Asker;
  readonly fields: Readonly<Record<string, string>>;
  readonly isJson: boolean;
}

async function toStdout({ asker, fields }: Asked): Promise<number> {
  const coming = await asker.exported(fields, null);
  if (!('bytes' in coming)) throw refusal(coming, FLAG_OF);
  await pipeline(coming.bytes, process.stdout, { end: false });
  return 0;
}

/** Paths of a partial file, beside it until it is whole, and of its state. */
const partOf = (file: string) => ({ bytes: `${file}.part`, state: `${file}.part-of` });

async function toFile({ asker, fields, isJson }: Asked, out: string | null, output: Output): Promise<number> {
  const known = out === null ? null : await beginningOf(resolve(out), fields);
  let coming = await asker.exported(fields, known);
  if (!('bytes' in coming)) throw refusal(coming, FLAG_OF);
  const file = resolve(out ?? coming.name);
  if (out === null) {
    // Only its name said whether a part of it is there.
    const beginning = await beginningOf(file, fields);
    if (beginning) {
      coming.bytes.destroy();
      coming = await asker.exported(fields, beginning);
      if (!('bytes' in coming)) throw refusal(coming, FLAG_OF);
    }
  }
  const bytes = await receive(coming, file, fields);
  const { from } = coming;
  if (isJson) output.print(JSON.stringify({ file, bytes, continued_at: from }));
  else output.print(`${file}: ${countOf(bytes, 'byte')}${from > 0 ? `, continued at ${from}` : ''}.`);
  return 0;
}

/** Resolves with the part left by a former try with the same fields; null for none to resume from. */
async function beginningOf(file: string, fields: Asked['fields']): Promise<Beginning | null> {
  const part = partOf(file);
  const [kept, bytes] = [await stateIn(part.state), sizeOf(part.bytes)];
  if (bytes === 0 || kept?.fields !== JSON.stringify(fields)) return null;
  return { bytes, state: kept.state };
}

async function stateIn(file: string): Promise<{ readonly state: string; readonly fields: string } | null> {
  const kept = (await readWhole(nodeFiles, file))?.toString() ?? '';
  const [state, fields] = kept.split('\n');
  return state && fields ? { state, fields } : null;
}

function sizeOf(path: string): number {
  try {
    const file = nodeFiles.openForReading(path);
    try {
      return file.size;
    } finally {
      file.close();
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}

/** Writes it behind what is there; the file has its name once all of it is on the disk. Resolves with its length. */
async function receive(
  { bytes, state, from }: ComingFile,
  file: string,
  fields: Asked['fields'],
): Promise<number> {
  const part = partOf(file);
  if (from === 0) {
    // Bytes of another file must not be there beside this one's state.
    await nodeFiles.remove(part.bytes);
    await writeWhole(nodeFiles, part.state, `${state}\n${JSON.stringify(fields)}\n`);
  }
  const writing = nodeFiles.openForWriting(part.bytes, from === 0);
  let length = from;
  try {
    for await (const piece of bytes as AsyncIterable<Uint8Array>) {
      await writing.write(piece, length);
      length += piece.length;
    }
    writing.truncateNow(length);
    await writing.sync();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `The export was cut off after ${length} bytes (${reason}). The same command goes on from there.`,
      { cause },
    );
  } finally {
    writing.close();
  }
  await nodeFiles.rename(part.bytes, file);
  await nodeFiles.remove(part.state);
  return length;
}
