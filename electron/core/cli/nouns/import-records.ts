import { resolve } from 'node:path';
import {
  importSettings,
  type Examination,
  type ImportResult,
} from '#shared/operations/records/record-files.ts';
import { countOf } from '#shared/values/counts.ts';
import { errorCode } from '../../disk/errors.ts';
import { nodeFiles } from '../../disk/files.ts';
import { tell } from '../ask/tell.ts';
import { piecesOf } from '../ask/send-file.ts';
import { SCOPE_FLAGS, SCOPE_FLAGS_HELP } from '../names/look-up.ts';
import { CommandError } from '../refusal.ts';
import { deviceOf } from './devices.ts';
import { nounCommand } from './noun-command.ts';

/* `fieldbench records import`: a file of records, as the app and the API take it (docs/local-api.md, "Import and export"). */

const text = { type: 'string' } as const;
type Setting = keyof typeof importSettings;
const SETTINGS = Object.keys(importSettings) as readonly Setting[];
/** By setting, the flag that says it. */
const FLAG_OF = Object.fromEntries(SETTINGS.map((name) => [name, name.replaceAll('_', '-')])) as Readonly<
  Record<Setting, string>
>;

export const importRecords = nounCommand({
  word: 'a FILE',
  flags: {
    ...SCOPE_FLAGS,
    'dry-run': { type: 'boolean' },
    ...(Object.fromEntries(SETTINGS.map((name) => [FLAG_OF[name], text])) as Record<string, typeof text>),
  },
  help: `  FILE                CSV or NDJSON, of any size; - is stdin
${SCOPE_FLAGS_HELP}
  --dry-run           says what it holds, and stores nothing
  --zone Z            of times that carry none (Europe/Berlin, UTC+02:00)
  --on-error keep     imports the rows that can be read (abort)
  --existing skip     leaves out what the device has already (add)
  --format, --encoding, --delimiter (or tab), --first-line, --header, --unnamed-column,
  --time-column, --time-kind, --started, --date-order, --decimal-mark, --text-columns,
  --number-columns, --row-numbers, --missing-words, --columns, --units-row, --names
                      of a file that is not read as it should be: docs/local-api.md, "Import and export"`,
  example: 'records import logger.csv --device ESP32 --zone Europe/Berlin',
  async run({ asker, names, word, values, ...output }) {
    const given = values as Readonly<Record<string, string | undefined>>;
    const of = await deviceOf(names, given);
    const settings: Record<string, string> = {};
    for (const name of SETTINGS) {
      const value = given[FLAG_OF[name]];
      if (value !== undefined) settings[name] = name === 'delimiter' && value === 'tab' ? '\t' : value;
    }
    const file = word === '-' ? null : resolve(word);
    const total = file === null ? null : sizeOf(file);
    const progress = tell(output);
    const bytes =
      file === null
        ? (process.stdin as AsyncIterable<Uint8Array>)
        : piecesOf(file, (done) => progress({ done, total, unit: 'bytes' }));
    const input = { ...settings, ...of };
    if (values['dry-run']) {
      const found = await asker.upload('records.compare', input, bytes, FLAG_OF);
      return { data: found, lines: heldLines(found) };
    }
    const result = await asker.upload('records.import', input, bytes, FLAG_OF);
    return { data: result, lines: importedLines(result) };
  },
});

/** Throws CommandError where it cannot be read. */
function sizeOf(file: string): number {
  try {
    const open = nodeFiles.openForReading(file);
    try {
      return open.size;
    } finally {
      open.close();
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw new CommandError(1, `There is no file ${file}.`);
    throw new CommandError(1, `${file} cannot be read: ${(error as Error).message}`);
  }
}

const spanOf = ({ first, last }: { readonly first: string | null; readonly last: string | null }) =>
  first === null ? '' : `, from ${first} to ${last}`;

const faultLines = (errors: ImportResult['errors']) =>
  errors.map(({ line, message }) => `  line ${line}: ${message}`);

function importedLines({ stored, skipped, present, errors, notes, ...span }: ImportResult): string[] {
  const left = [
    ...(skipped > 0 ? [`${countOf(skipped, 'row')} left out`] : []),
    ...(present > 0 ? [`${countOf(present, 'record')} there already`] : []),
  ];
  return [
    `Imported: ${[`${countOf(stored, 'record')}${spanOf(span)}`, ...left].join('; ')}.`,
    ...faultLines(errors),
    ...notes,
  ];
}

function heldLines({ records, unreadable, present, errors, notes, ...span }: Examination): string[] {
  const also = [
    ...(unreadable > 0 ? [`${countOf(unreadable, 'row')} cannot be read`] : []),
    ...(present !== null && present > 0 ? [`${countOf(present, 'record')} there already`] : []),
  ];
  return [
    `It holds: ${[`${countOf(records, 'record')}${spanOf(span)}`, ...also].join('; ')}. Nothing was stored.`,
    ...faultLines(errors),
    ...notes,
  ];
}
