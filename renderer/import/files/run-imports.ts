import type { ImportResult } from '#shared/operations/records/records.ts';
import { ask, dataOf, messageOf } from '../../bridge/ask.ts';
import { bridge } from '../../bridge/bridge.ts';
import { countOf } from '../../format.ts';
import { currentRoute, goTo } from '../../router.ts';
import { removeRow, startWork, watchJob } from '../../stores/jobs.ts';
import { isIn, valueColumns } from '../columns.ts';
import { changeItem, itemOf, itemsOf, keysOfItem, readingOf, unitOf, type FileItem } from './file-items.ts';
import { placedTogether } from './file-kinds.ts';
import { fileStateOf } from './file-state.ts';

/** Whether a file can be imported as it stands. */
export function isReady(item: FileItem): boolean {
  const { name } = fileStateOf(item);
  return item.state.name === 'choosing' && (name === 'ready' || name === 'rows-left-out');
}

/** The last row of each file. */
const rowOfFile = new Map<string, string>();
const fileKey = (project_id: string, { name, size, lastModified }: File) =>
  JSON.stringify([project_id, name, size, lastModified]);

/** Files that wait for those before them. */
let queue: Promise<void> = Promise.resolve();

/** Imports files one after the other, each as a row of the jobs tray. */
export function runImports(
  project_id: string,
  items: readonly FileItem[],
  nameOf: (item: FileItem) => string,
): void {
  for (const { id } of items)
    changeItem(project_id, id, {
      state: {
        name: 'importing',
        taken: null,
        // Nothing has begun: it leaves its place among those that wait.
        cancel: () => changeItem(project_id, id, { state: { name: 'choosing', problem: null } }),
      },
    });
  for (const { id } of items) queue = queue.then(() => runOne(project_id, id, nameOf));
}

async function runOne(project_id: string, id: number, nameOf: (item: FileItem) => string): Promise<void> {
  const item = itemOf(project_id, id);
  if (!item?.inspected || item.state.name !== 'importing') return;
  const { file, target } = item;
  try {
    let isMade = target.kind === 'new';
    let device_id =
      target.kind === 'new' ? await makeDevice(project_id, target.name.trim()) : target.device_id;
    const begun: { cancel?: () => void } = {};
    const show = (taken: number | null) =>
      changeItem(project_id, id, { state: { name: 'importing', taken, cancel: () => begun.cancel?.() } });
    const started = startWork({
      verb: 'Import',
      about: `${file.name} → ${nameOf(item)}`,
      unit: 'bytes',
      total: file.size,
      job: { kind: 'import', project_id, device_id },
      async run(progress, signal) {
        // Tried again, where the device of the first try is gone; one of its kind may have made theirs meanwhile.
        if (target.kind === 'new' && !isMade) {
          const now = itemOf(project_id, id)?.target;
          isMade = now?.kind !== 'device';
          device_id =
            now?.kind === 'device' ? now.device_id : await makeDevice(project_id, target.name.trim());
        }
        try {
          show(0);
          const told = (done: number, total?: number) => {
            progress(done, total);
            show(done);
          };
          const result = await upload(project_id, device_id, item, told, signal);
          await setUnits(project_id, device_id, item);
          changeItem(project_id, id, { state: { name: 'done', result, device_id } });
          if (target.kind === 'new') followInto(project_id, item, device_id);
          return result;
        } catch (error) {
          // What did not come in leaves nothing behind: no empty device either.
          if (isMade) {
            isMade = false;
            await bridge.call('devices.delete', { project_id, device_id });
          }
          const problem = signal.aborted ? 'The import was cancelled.' : messageOf(error);
          changeItem(project_id, id, { state: { name: 'choosing', problem } });
          throw error;
        }
      },
      outcome: (result) => ({
        text: countOf(result.stored, 'record'),
        show: () => goTo({ screen: 'device', project_id, device_id, tab: 'chart' }),
      }),
    });
    // A try of the same file that failed is over, and so is its offer to try again.
    const earlier = rowOfFile.get(fileKey(project_id, file));
    if (earlier !== undefined) removeRow(earlier);
    rowOfFile.set(fileKey(project_id, file), started.id);
    // How it went is said by its row and its file; the next one comes all the same.
    begun.cancel = started.cancel;
    const unwatch = currentRoute().screen === 'import' ? watchJob(started.id) : () => {};
    await started.finished.then(unwatch, unwatch);
  } catch (error) {
    changeItem(project_id, id, { state: { name: 'choosing', problem: messageOf(error) } });
  }
}

/** Sends what goes together with a file into the device that was made for it. */
function followInto(project_id: string, item: FileItem, device_id: string): void {
  for (const { id } of placedTogether(item, itemsOf(project_id)))
    changeItem(project_id, id, { target: { kind: 'device', device_id } });
}

async function makeDevice(project_id: string, name: string): Promise<string> {
  return (await ask('devices.create', { project_id, name, source: 'http' })).id;
}

async function upload(
  project_id: string,
  device_id: string,
  item: FileItem,
  progress: (done: number, total?: number) => void,
  signal: AbortSignal,
): Promise<ImportResult> {
  const { file, inspected, existing } = item;
  const reading = readingOf(item);
  if (reading === null || inspected === null) throw new Error('The file was not looked at yet.');
  const { on_error } = inspected.choices;
  const input = { project_id, device_id, existing, ...reading, ...(on_error && { on_error }) };
  const options = { signal, onProgress: (taken: number) => progress(taken, file.size) };
  return dataOf(await bridge.upload('records.import', input, file, options));
}

/** Keeps the units with the keys that the columns became; what a device says of a key counts before what a file says. */
async function setUnits(project_id: string, device_id: string, item: FileItem): Promise<void> {
  if (item.inspected === null) return;
  const { inspection, choices } = item.inspected;
  const keys = keysOfItem(item);
  const isImported = isIn(choices);
  const columns = valueColumns(inspection).filter(
    ({ name }) => isImported(name) && unitOf(item, name) !== '',
  );
  if (columns.length === 0) return;
  const settings = await ask('key-settings.list', { project_id, device_id });
  const known = new Map(settings.map(({ key, unit }) => [key, unit]));
  for (const { name } of columns) {
    const key = keys[name] ?? name;
    const [unit, before] = [unitOf(item, name), known.get(key) ?? ''];
    const counts = before === '' || item.units[name] !== undefined;
    if (counts && unit !== before) await ask('key-settings.set', { project_id, device_id, key, unit });
  }
}
