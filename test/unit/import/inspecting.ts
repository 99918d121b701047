import { inspectFile } from '#core/import/inspect.ts';
import type { FileSettings } from '#shared/operations/records/records.ts';
import { PRESENT } from '../../helpers/clock.ts';

/** What is said of a file whose beginning, or all of it, is this text. */
export const inspectText = (text: string, settings: FileSettings = {}, complete = true) =>
  inspectFile({ now: PRESENT, head: Buffer.from(text), complete, ...settings });
/** The same for all lines of a file. */
export const inspect = (...lines: string[]) => inspectText(lines.join('\n'));
