import { dataOf, messageOf } from '../../bridge/ask.ts';
import { bridge } from '../../bridge/bridge.ts';
import { NO_COLUMNS } from '../import-choices.ts';
import { changeItem, itemOf, readingOf } from './file-items.ts';

/** Whole files that are read now, or wait for it, by their item. */
const reading = new Map<number, AbortController>();
let turn: Promise<void> = Promise.resolve();

/** Nobody wants the whole file any more. */
export function leaveWhole(id: number): void {
  reading.get(id)?.abort();
}

/** Has the whole file read, one file after the other. */
export function readWhole(project_id: string, id: number): void {
  reading.get(id)?.abort();
  const controller = new AbortController();
  reading.set(id, controller);
  changeItem(project_id, id, { report: { state: 'waiting' } });
  turn = turn.then(() => read(project_id, id, controller.signal));
}

async function read(project_id: string, id: number, signal: AbortSignal): Promise<void> {
  const item = itemOf(project_id, id);
  if (signal.aborted || !item?.inspected || item.inspected.inspection.problem !== null) return;
  if (item.state.name !== 'choosing' || item.inspected.choices.columns === NO_COLUMNS) return;
  const input = readingOf(item);
  const { file, target } = item;
  if (input === null) return;
  const onProgress = (done: number) => changeItem(project_id, id, { report: { state: 'reading', done } });
  try {
    const envelope =
      target.kind === 'device'
        ? await bridge.upload(
            'records.compare',
            { ...input, project_id, device_id: target.device_id },
            file,
            {
              signal,
              onProgress,
            },
          )
        : await bridge.upload('records.examine', input, file, { signal, onProgress });
    changeItem(project_id, id, { report: { state: 'read', found: dataOf(envelope) } });
  } catch (error) {
    if (!signal.aborted)
      changeItem(project_id, id, { report: { state: 'failed', problem: messageOf(error) } });
  }
}
