import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { messageOf } from '../../../bridge/ask.ts';
import { sayDone } from '../../../components/work/notices.ts';
import { sayUndoable } from '../../../components/work/undo-toast.tsx';
import { countOf } from '../../../format.ts';
import { startWork } from '../../../stores/jobs.ts';
import type { Step } from '../../../stores/undo/undoable.ts';

interface ForEach {
  /** Verb: "Tag". */
  readonly verb: string;
  readonly devices: readonly FoundDevice[];
  readonly act: (device: FoundDevice, signal: AbortSignal) => Promise<void>;
  /** Words for the act, in the list. */
  readonly done: string;
  /** Returns the undo of the acts since the last call; null for none. */
  readonly undoable?: () => Step | null;
}

/**
 * Runs an act on each device, one after the other, as work of the jobs tray: it can be cancelled, and tried again goes on
 * where it ended. However it ends, what was done until then can be taken back.
 */
export function forEachDevice({ verb, devices, act, done, undoable }: ForEach): void {
  const left = [...devices];
  const about = devices.length === 1 ? (devices[0]?.name ?? '') : countOf(devices.length, 'device');
  const offerUndo = () => {
    const part = undoable?.() ?? null;
    if (part) sayUndoable(part.title, about, part.way);
    return part !== null;
  };
  startWork({
    verb,
    about,
    unit: 'devices',
    total: devices.length,
    async run(progress, signal) {
      for (let [next] = left; next; [next] = left) {
        if (signal.aborted) offerUndo();
        signal.throwIfAborted();
        progress(devices.length - left.length);
        try {
          await act(next, signal);
        } catch (error) {
          offerUndo();
          if (signal.aborted) throw error;
          const before = devices.length - left.length;
          throw new Error(
            `“${next.name}”: ${messageOf(error)} ${countOf(before, 'device')} before it done.`,
            {
              cause: error,
            },
          );
        }
        left.shift();
      }
      progress(devices.length);
    },
    outcome() {
      if (!offerUndo()) sayDone(done, about);
      return { text: done };
    },
  });
}
