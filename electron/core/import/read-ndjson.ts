import { toRecord } from '../ingest/to-record.ts';
import { RecordFault } from '../ingest/record.ts';
import { parseJson } from '#shared/json.ts';
import type { Micros } from '#shared/time.ts';
import type { Outcome, RecordReader } from './outcome.ts';

/** JSON has none of these inside. */
const LINE_END = /\r\n?|\n/;

/** Reads newline-delimited JSON: every line is a record as devices send them (docs/api.md, "How devices store data"). */
export function readNdjson(pieces: AsyncIterable<string>, received: Micros): RecordReader {
  let line = 0;

  function readLine(text: string): Outcome[] {
    line++;
    if (text.trim() === '') return [];
    try {
      return [{ kind: 'record', record: toRecord(parseJson(text), received) }];
    } catch (error) {
      if (error instanceof RecordFault) return [{ kind: 'fault', line, message: error.message }];
      if (error instanceof SyntaxError)
        return [{ kind: 'fault', line, message: `must be one JSON object: ${error.message}` }];
      throw error;
    }
  }

  async function* outcomes(): AsyncGenerator<readonly Outcome[]> {
    let rest = '';
    for await (const piece of pieces) {
      rest += piece;
      // A long line is not looked at before it ends.
      if (!LINE_END.test(piece)) continue;
      // The LF of a CRLF may be still to come.
      if (rest.endsWith('\r')) continue;
      const lines = rest.split(LINE_END);
      rest = lines.pop() ?? '';
      yield lines.flatMap(readLine);
    }
    yield rest.split(LINE_END).flatMap(readLine);
  }

  return { outcomes, notes: () => [] };
}
