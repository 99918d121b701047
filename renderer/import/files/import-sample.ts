import type { Inspection } from '#shared/operations/records/records.ts';
import { parseInstant } from '#shared/values/time.ts';
import { ask } from '../../bridge/ask.ts';
import { formatLocal, localZone } from '../../time.ts';
import { NO_COLUMNS, type ImportChoices } from '../import-choices.ts';

/** What the service looks at: names and rows may be long, and it takes no more. */
const HEAD_BYTES = 192 * 1024;
/** Even, so that the end of a file in UTF-16 does not begin inside a character. */
const TAIL_BYTES = 16 * 1024;

export interface Inspected {
  readonly inspection: Inspection;
  /** What was chosen, and what the file needs besides. */
  readonly choices: ImportChoices;
}

/** Asks how an import with these choices reads a file, of which only the beginning and the end are sent. */
export async function inspectSample(file: File, choices: ImportChoices): Promise<Inspected> {
  const { on_error: _, columns, ...settings } = choices;
  const inspection = await ask('records.inspect', {
    ...settings,
    // How many there are is seen before one is chosen.
    ...(columns !== NO_COLUMNS && { columns }),
    bytes: await base64Of(file.slice(0, HEAD_BYTES)),
    tail: await base64Of(file.slice(Math.max(0, file.size - TAIL_BYTES))),
    complete: file.size <= HEAD_BYTES,
  });
  const needed = { ...neededChoices(file, inspection, choices), ...choices };
  if (Object.keys(needed).length === Object.keys(choices).length) return { inspection, choices };
  return inspectSample(file, needed);
}

/** What must be said and nobody has said yet, as it most likely is: shown, to be set right. */
function neededChoices(file: File, inspection: Inspection, choices: ImportChoices): ImportChoices {
  return {
    ...(inspection.first_line > 1 && { first_line: inspection.first_line }),
    ...(inspection.zone_needed && { zone: localZone() }),
    ...(inspection.start_needed &&
      choices.started === undefined && { started: likelyStart(file, inspection) }),
  };
}

/** A recording was most likely written when it ended: its length before the file last changed, to the second. */
function likelyStart(file: File, { last }: Inspection): string {
  // Without a start, times are shown from 1970 on.
  const length = parseInstant(last ?? '') ?? 0;
  return formatLocal(Math.floor((file.lastModified * 1000 - length) / 1e6) * 1e6);
}

async function base64Of(blob: Blob): Promise<string> {
  let text = '';
  for (const byte of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text);
}
