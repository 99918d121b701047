import { Box } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { IconMapQuestion } from '@tabler/icons-react';
import classes from './app.module.css';
import { useOffline } from './bridge/connection.ts';
import { useMay } from './bridge/distant.ts';
import { at } from './bridge/place.ts';
import { Empty } from './components/screen/empty.tsx';
import { May } from './components/work/may.tsx';
import { leaveNotices } from './components/work/notices.ts';
import { NotHere, useIsKnown } from './components/screen/not-here.tsx';
import { focusHeading, Screen } from './components/screen/screen.tsx';
import { Dialogs } from './dialogs.tsx';
import { AlertsTray } from './frame/alerts/alerts.tsx';
import { ChanceLine } from './frame/chance-line.tsx';
import { ClockLine } from './frame/clock-line.tsx';
import { FaultsLine } from './frame/faults-line.tsx';
import { ConnectionBanner } from './frame/connection-banner.tsx';
import { GlobalActions } from './frame/global-actions.tsx';
import { Header } from './frame/header.tsx';
import { Jobs } from './frame/jobs/jobs.tsx';
import { SavedViewActions } from './frame/saved-view-actions.tsx';
import { useActionKeys } from './frame/use-action-keys.ts';
import { useDesktop } from './frame/use-desktop.ts';
import { useFocusKept } from './frame/use-focus-kept.ts';
import { Side } from './frame/sidebar/side.tsx';
import { later } from './later.tsx';
import { hrefTo, placeOf, useRoute, type Route } from './router.ts';
import { hasScreen, screenOf, takesFiles } from './screens.tsx';
import { projects } from './stores/projects.ts';

const DropHint = later(async () => (await import('./frame/drop-hint.tsx')).DropHint);
const ServiceActions = later(async () => (await import('./frame/service-actions.tsx')).ServiceActions);
const DistantLine = later(async () => (await import('./frame/distant-line.tsx')).DistantLine);
const Palette = later(async () => (await import('./frame/palette/palette.tsx')).Palette);

export function App() {
  const route = useRoute();
  const mayImport = useMay('records.import');
  useActionKeys();
  useFocusKept();
  useDesktop(mayImport);
  projects.useWatch('all');
  const place = placeOf(route);
  useDidUpdate(() => {
    leaveNotices(place);
    focusHeading();
  }, [place]);
  return (
    <Box className={classes['frame'] ?? ''} data-away={useOffline() || undefined}>
      <a
        href={hrefTo(route)}
        className={classes['skip']}
        onClick={(event) => {
          event.preventDefault();
          focusHeading();
        }}
      >
        Skip to the content
      </a>
      <Header route={route} />
      {at === null ? <ConnectionBanner /> : <DistantLine />}
      <ClockLine />
      <ChanceLine />
      <FaultsLine />
      <Box className={classes['middle'] ?? ''}>
        <Side route={route} />
        <Box className={classes['content'] ?? ''}>
          <CurrentScreen route={route} />
        </Box>
      </Box>
      {!takesFiles(route) && mayImport && <DropHint route={route} />}
      <ServiceActions />
      <SavedViewActions />
      <Dialogs />
      <Jobs />
      <May to="alerts.list">
        <AlertsTray />
      </May>
      <GlobalActions route={route} />
      <Palette route={route} />
    </Box>
  );
}

function CurrentScreen({ route }: { readonly route: Route }) {
  const isKnown = useIsKnown();
  if (route.screen !== 'unknown' && !hasScreen(route))
    return (
      <Screen title={isKnown ? 'Not here' : 'Fieldbench'}>
        <NotHere />
      </Screen>
    );
  if (route.screen !== 'unknown') return screenOf(route);
  return (
    <Screen title="Nothing here">
      <Empty icon={IconMapQuestion} title="This address leads nowhere">
        {route.address} is not a screen of Fieldbench. The projects are behind its name, top left.
      </Empty>
    </Screen>
  );
}
