import { useContext, useEffect, useMemo } from 'react';
import { needsSources } from '#shared/domain/dashboard.ts';
import type { Widget } from '#shared/schema/schemas.ts';
import { groupsOf, type LiveGroup } from '../../../stores/dashboard/live-groups.ts';
import { liveValues } from '../../../stores/dashboard/live-values.ts';
import { DashboardLiveContext } from './dashboard-live.ts';

interface LiveFeedProps {
  readonly project_id: string;
  readonly widgets: readonly Widget[];
  /** Those in sight. */
  readonly seen: ReadonlySet<string>;
}

/** Keeps the last values of what is in sight fresh: one question for each key. Draws nothing. */
export function LiveFeed({ project_id, widgets, seen }: LiveFeedProps) {
  const { store } = useContext(DashboardLiveContext);
  const sources = widgets.flatMap((widget) =>
    seen.has(widget.id) && needsSources(widget.type) ? widget.sources : [],
  );
  // As text: the same ones are asked no second time.
  const text = JSON.stringify(groupsOf(project_id, sources));
  const groups = useMemo(() => JSON.parse(text) as readonly LiveGroup[], [text]);
  const known = liveValues.useEach(groups);
  useEffect(
    () =>
      store.learn(
        groups.flatMap((group) => {
          const resource = known.get(group);
          return resource ? [[group, resource] as const] : [];
        }),
      ),
    [store, groups, known],
  );
  return null;
}
