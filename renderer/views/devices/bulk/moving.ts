import type { InputOf } from '#shared/operations/index.ts';
import { ask, Refused } from '../../../bridge/ask.ts';
import { currentRoute, goTo } from '../../../router.ts';
import { Superseded, type Way } from '../../../stores/undo/undoable.ts';

/* How devices move to another project, and back: the one place that knows how that is undone. */

/** A device that moved, and the widgets that lost it, as they were. */
export interface MovedDevice {
  readonly id: string;
  readonly widgets: NonNullable<InputOf<'devices.move'>['widgets']>;
}

export interface Between {
  readonly from: string;
  readonly to: string;
}

/** Moves a device; the named widgets there have it again. Once begun it is waited for: only so can it be undone. */
export async function moveOne({ id, widgets }: MovedDevice, { from, to }: Between): Promise<MovedDevice> {
  const moved = await ask('devices.move', { project_id: from, device_id: id, to, widgets });
  follow(id, { from, to });
  return { id, widgets: moved.widgets };
}

/**
 * Takes devices back to where they came from, the last first. Some may have been deleted, or moved on, before: they are passed
 * over, and it is said. Back from there the rest moves again.
 */
export function movingBack(moved: readonly MovedDevice[], { from, to }: Between): Way {
  return async () => {
    const back: MovedDevice[] = [];
    const way = { from: to, to: from };
    try {
      for (const one of moved.toReversed()) {
        const next = await unlessGone(() => moveOne(one, way));
        if (next) back.push(next);
      }
    } catch (error) {
      // All of them, or none.
      for (const one of back.toReversed()) await unlessGone(() => moveOne(one, { from, to }));
      throw error;
    }
    const [some, all] = [back.length, moved.length];
    if (some === 0)
      throw new Superseded(
        all === 1 ? 'It was deleted, or moved on, before.' : 'All of them were deleted, or moved on, before.',
      );
    return {
      words: some === all ? null : `Moved: ${some} of ${all}. The others were deleted, or moved on, before.`,
      back: movingBack(back, way),
    };
  };
}

/** Null where the device is not there any more. */
async function unlessGone(move: () => Promise<MovedDevice>): Promise<MovedDevice | null> {
  try {
    return await move();
  } catch (error) {
    if (error instanceof Refused && error.status === 404 && error.message === 'Device not found.')
      return null;
    throw error;
  }
}

/** Who looks at the device goes on looking at it. */
function follow(id: string, { from, to }: Between): void {
  const route = currentRoute();
  if (route.screen === 'device' && route.project_id === from && route.device_id === id)
    goTo({ ...route, project_id: to });
}
