import { Button } from '@mantine/core';
import { IconLayoutDashboard, IconList, IconMaximize, IconPencil } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import type { Widget } from '#shared/schema/schemas.ts';
import { useMay } from '../../bridge/distant.ts';
import { RangeMenu } from '../../chart/controls/range-menu.tsx';
import { FullScreenButton } from '../../chart/full-screen/full-screen-button.tsx';
import fullClasses from '../../chart/full-screen/full-screen.module.css';
import { useFullScreen } from '../../chart/full-screen/use-full-screen.ts';
import { ALL, spanOfRange } from '../../chart/time/range.ts';
import type { TimeSpan } from '../../chart/time/window.ts';
import { Empty } from '../../components/screen/empty.tsx';
import { Screen } from '../../components/screen/screen.tsx';
import { useShortcuts } from '../../components/screen/use-shortcuts.ts';
import { Loading } from '../../components/work/loading.tsx';
import { Problem } from '../../components/work/problem.tsx';
import { countOf } from '../../format.ts';
import { goTo } from '../../router.ts';
import { useActions } from '../../stores/actions.ts';
import { widgets as widgetsOf } from '../../stores/dashboard/widgets.ts';
import { openDialog } from '../../stores/dialog.ts';
import { useKeySettings } from '../../stores/key-settings.ts';
import { projects } from '../../stores/projects.ts';
import { nowMicros } from '../../time.ts';
import { deleteWidget } from './change-widgets.ts';
import { DashboardActions, listOf } from './dashboard-actions.tsx';
import { spanOf, type DashboardShown } from './dashboard-address.ts';
import { DashboardGrid } from './grid/dashboard-grid.tsx';
import gridClasses from './grid/grid.module.css';
import { firstSize, nextPlace } from './grid/places.ts';
import { usePlaces } from './grid/use-places.ts';
import { createDashboardLive, DashboardLiveContext } from './live/dashboard-live.ts';
import { LiveFeed } from './live/live-feed.tsx';
import { useDashboardAddress } from './use-dashboard-address.ts';

/** The widgets of a project on one page, live. */
export function DashboardScreen({ project_id, ...told }: { readonly project_id: string } & DashboardShown) {
  const [shown, change] = useDashboardAddress(project_id, told);
  const { zone = 'local' } = shown;
  widgetsOf.useWatch(project_id);
  const { value, error } = widgetsOf.useValue(project_id);
  const widgets = value ?? NO_WIDGETS;
  const project = projects.useValue('all').value?.find(({ id }) => id === project_id);
  const settingsOf = useKeySettings(project_id);
  const { places, put } = usePlaces(project_id, widgets);
  const [isWanted, setWanted] = useState(false);
  const mayEdit = useMay('widgets.create', 'widgets.update', 'edits.replace', 'widgets.import');
  const full = useFullScreen();
  // A full screen is looked at, not edited.
  const isEditing = isWanted && mayEdit && widgets.length > 0 && !full.isFull;
  const [live] = useState(createDashboardLive);
  const [seen, setSeen] = useState<ReadonlySet<string>>(NOTHING_SEEN);
  const onSeen = useCallback(
    (id: string, isSeen: boolean) =>
      setSeen((before) => {
        if (before.has(id) === isSeen) return before;
        const next = new Set(before);
        if (isSeen) next.add(id);
        else next.delete(id);
        return next;
      }),
    [],
  );
  const span = useMemo(() => spanOf(shown), [shown]);
  const onLook = useCallback((window: TimeSpan | null) => change({ window }), [change]);
  const add = useCallback(() => {
    if (!mayEdit) return;
    setWanted(true);
    openDialog({ kind: 'widget', project_id, placeOf: (type) => nextPlace(places, firstSize(type)) });
  }, [mayEdit, project_id, places]);
  const onChange = useCallback(
    (widget: Widget) =>
      openDialog({
        kind: 'widget',
        project_id,
        widget,
        placeOf: (type) => nextPlace(places, firstSize(type)),
      }),
    [project_id, places],
  );
  const onDelete = useCallback((widget: Widget) => void deleteWidget(widget), []);
  const edit = useCallback(() => setWanted((was) => !was), []);
  const hasWidgets = widgets.length > 0;
  useShortcuts({ ...(mayEdit && { n: add }), ...(hasWidgets && { f: full.toggle }) });
  useActions([
    {
      label: 'Devices of the project',
      icon: IconList,
      shortcut: 'd',
      run: () => goTo(listOf(project_id)),
    },
    ...(mayEdit && hasWidgets
      ? [
          {
            label: isEditing ? 'Done with the dashboard' : 'Edit the dashboard',
            icon: IconPencil,
            shortcut: 'e',
            run: edit,
          },
        ]
      : []),
    ...(hasWidgets ? [{ label: 'Full screen', icon: IconMaximize, run: full.toggle }] : []),
  ]);
  const content = (
    <DashboardLiveContext value={live}>
      <LiveFeed project_id={project_id} widgets={widgets} seen={seen} />
      <DashboardGrid
        project_id={project_id}
        widgets={widgets}
        places={places}
        isEditing={isEditing}
        isFull={full.isFull}
        span={span}
        zone={zone}
        settingsOf={settingsOf}
        onLook={onLook}
        onPut={put}
        onChange={onChange}
        onDelete={onDelete}
        onSeen={onSeen}
      />
    </DashboardLiveContext>
  );
  return (
    <Screen
      title={project?.name ?? 'Dashboard'}
      description={value ? countOf(widgets.length, 'widget') : '\u00a0'}
      actions={
        <>
          {hasWidgets && (
            <RangeMenu
              view={span}
              seen={seenSpan(span)}
              zone={zone}
              onView={({ range, window }) => change({ range, window })}
              onZone={(next) => change({ zone: next === 'utc' ? next : null })}
            />
          )}
          <DashboardActions
            project_id={project_id}
            name={project?.name ?? ''}
            hasWidgets={hasWidgets}
            isEditing={isEditing}
            full={full}
            onEdit={edit}
            onAdd={add}
          />
        </>
      }
    >
      {error !== null && <Problem message={error} onRetry={widgetsOf.reload} />}
      {value === null && error === null && <Loading h={220} label="Loading the dashboard" />}
      {value?.length === 0 && (
        <Empty
          icon={IconLayoutDashboard}
          title="No widgets yet"
          action={mayEdit && <Button onClick={add}>Add the first widget</Button>}
        >
          A dashboard shows charts, last values, states and notes of this project on one page, live, and is
          then the first page of the project.
        </Empty>
      )}
      {hasWidgets && (
        <div className={full.isFull ? `${fullClasses['full']} ${gridClasses['full']}` : gridClasses['home']}>
          {full.isFull && (
            <div className={gridClasses['leave']}>
              <FullScreenButton full={full} />
            </div>
          )}
          {content}
        </div>
      )}
    </Screen>
  );
}

const NO_WIDGETS: readonly Widget[] = [];
const NOTHING_SEEN: ReadonlySet<string> = new Set();

/** The span that the menu begins with. */
function seenSpan({ range, window }: ReturnType<typeof spanOf>): TimeSpan | null {
  if (window !== null) return window;
  const span = range === ALL ? null : spanOfRange(range);
  const now = nowMicros();
  return span === null ? null : { from: now - span, to: now };
}
