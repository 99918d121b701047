import { Refusal } from '../base/errors.ts';
import type { FileFormat } from '#shared/domain/file-formats.ts';
import type { Encoding, Inspection } from '#shared/operations/records/records.ts';
import { guessFormat } from './file-format.ts';
import type { FileFound, FileToInspect } from './file-to-inspect.ts';
import { inspectCsv } from './inspect-csv.ts';
import { inspectNdjson } from './inspect-ndjson.ts';
import { createDecoder, doubtOfEncoding, ENCODING_NAMES, guessEncoding } from './text/encoding.ts';
import { takeSample } from './text/sample.ts';
import { requireText } from './text/signature.ts';

/**
 * What the beginning of a file says about it, and how an import with the same settings will read it. Throws a 400
 * Refusal on what is no text and on a file that holds nothing to import; what can be set right is a `problem` instead.
 */
export function inspectFile(file: FileToInspect): Inspection {
  requireText(file.head);
  const encoding = file.encoding ?? guessEncoding(file.head);
  const { text } = takeSample(file.head, file.complete, encoding, 'none') ?? { text: '' };
  const format = file.format ?? guessFormat(text);
  const read = INSPECT[format](text, file, encoding);
  const guessed = file.encoding === undefined && encoding === 'windows-1252';
  const doubts = guessed ? [doubtOfEncoding(text), ...read.doubts] : read.doubts;
  const notes = [
    ...(guessed ? [doubtOfEncoding(text).message] : []),
    ...(encoding === 'utf-8' || guessed ? [] : [`The file is read as ${ENCODING_NAMES[encoding]}.`]),
    ...read.notes,
  ];
  const undecodable = encodingProblem(file, encoding);
  const found: FileFound =
    undecodable === null
      ? { ...read, doubts, notes }
      : { ...read, doubts, notes, problem: undecodable, problem_with: 'encoding' };
  return { encoding, encoding_guessed: guessed, ...found, state: stateOf(found) };
}

const INSPECT: Readonly<
  Record<FileFormat, (text: string, file: FileToInspect, encoding: Encoding) => FileFound>
> = { csv: inspectCsv, ndjson: (text, { now }) => inspectNdjson(text, now) };

/** Why the beginning cannot be decoded; null where it can. */
function encodingProblem({ head, complete }: FileToInspect, encoding: Encoding): string | null {
  try {
    createDecoder(encoding)(head, complete);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.message.replace(' Nothing was imported.', '');
    throw error;
  }
}

function stateOf({ problem, problem_with, looked_at, unreadable }: FileFound): Inspection['state'] {
  if (problem !== null) return problem_with === 'rows' ? 'cannot-import' : 'needs-choice';
  if (unreadable === looked_at) return 'cannot-import';
  return unreadable > 0 ? 'rows-left-out' : 'ready';
}
