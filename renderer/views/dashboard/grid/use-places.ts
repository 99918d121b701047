import { useEffect, useMemo, useState } from 'react';
import { placeOfLayout } from '#shared/domain/dashboard.ts';
import type { Widget } from '#shared/schema/schemas.ts';
import { ask, messageOf } from '../../../bridge/ask.ts';
import { oneInFlight } from '../../../bridge/one-in-flight.ts';
import { addEdited } from '../../../components/work/undo-edits.ts';
import { sayFailed } from '../../../components/work/notices.ts';
import { countOf } from '../../../format.ts';
import { editOfWidgets } from '../../../stores/undo/edits.ts';
import { undoHistory } from '../../../stores/undo/undo-history.ts';
import { isSamePlace, placesOf, type Placed } from './places.ts';

/** Changes that follow quickly are saved, and undone, as one. */
const REST_MS = 400;

interface Places {
  readonly places: readonly Placed[];
  /** Puts widgets there, and saves that. */
  readonly put: (places: readonly Placed[]) => void;
}

/** Places of a project's widgets, as somebody has just put them: shown at once, and saved one change after another. */
export function usePlaces(project_id: string, widgets: readonly Widget[]): Places {
  const [waiting, setWaiting] = useState<readonly Placed[] | null>(null);
  const places = useMemo(
    () => placesOf(waiting ? withPlaces(widgets, waiting) : widgets),
    [widgets, waiting],
  );
  const [saver] = useState(() => createSaver(project_id, setWaiting));
  useEffect(() => saver.learn(widgets), [saver, widgets]);
  return { places, put: saver.put };
}

/** Saves where widgets are put. `show` is told where they are to be; null: where the service has them. */
function createSaver(project_id: string, show: (waiting: readonly Placed[] | null) => void) {
  /** The widgets as the service has them, as far as is known. */
  let stored: readonly Widget[] = [];
  let waiting: readonly Placed[] | null = null;
  /** Resolved once all that was put is the service's, or is not to be. */
  let saved: PromiseWithResolvers<void> | null = null;

  const settle = () => {
    if (waiting !== null) return;
    saved?.resolve();
    saved = null;
  };
  const save = oneInFlight(async () => {
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    const wanted = waiting;
    if (wanted === null) return;
    const after = withPlaces(stored, wanted);
    const changes = stored.flatMap((before, at) => {
      const next = after[at];
      return next && next !== before ? [{ before, after: next }] : [];
    });
    const edited = editOfWidgets(titleOf(changes), changes);
    try {
      if (edited) await ask('edits.replace', { project_id, ...edited.edits });
      addEdited(project_id, edited);
      stored = after;
      if (waiting === wanted) waiting = null;
    } catch (error) {
      sayFailed('The widgets could not be moved', messageOf(error));
      waiting = null;
      show(null);
    }
    settle();
  });
  return {
    /** The service has these. */
    learn: (widgets: readonly Widget[]) => {
      stored = widgets;
      // Saved, and read since: they are the service's again.
      if (waiting === null) show(null);
    },
    put: (places: readonly Placed[]) => {
      waiting = places;
      show(places);
      if (saved === null) {
        saved = Promise.withResolvers();
        undoHistory.waitFor(saved.promise);
      }
      save();
    },
  };
}

/** Widgets with the places that they are to have, where those are others. */
function withPlaces(widgets: readonly Widget[], places: readonly Placed[]): readonly Widget[] {
  const byId = new Map(places.map(({ id, place }) => [id, place]));
  return widgets.map((widget) => {
    const place = byId.get(widget.id);
    if (!place || isSamePlace(place, placeOfLayout(widget.layout))) return widget;
    const { x, y, w, h } = place;
    return { ...widget, layout: { ...widget.layout, x, y, w, h } };
  });
}

function titleOf(changes: readonly { readonly before: Widget }[]): string {
  const [first] = changes;
  return changes.length === 1 && first
    ? `place of “${first.before.title}”`
    : `places of ${countOf(changes.length, 'widget')}`;
}
