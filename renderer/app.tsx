import { Box } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { IconMapQuestion } from '@tabler/icons-react';
import classes from './app.module.css';
import { Empty } from './components/screen/empty.tsx';
import { leaveNotices } from './components/work/notices.ts';
import { focusHeading, Screen } from './components/screen/screen.tsx';
import { Dialogs } from './dialogs.tsx';
import { ConnectionBanner } from './frame/connection-banner.tsx';
import { GlobalActions } from './frame/global-actions.tsx';
import { Header } from './frame/header.tsx';
import { Jobs } from './frame/jobs/jobs.tsx';
import { SavedViewActions } from './frame/saved-view-actions.tsx';
import { useActionKeys } from './frame/use-action-keys.ts';
import { useFocusKept } from './frame/use-focus-kept.ts';
import { Side } from './frame/sidebar/side.tsx';
import { later } from './later.tsx';
import { hrefTo, placeOf, useRoute, type Route } from './router.ts';
import { screenOf, takesFiles } from './screens.tsx';
import { projects } from './stores/projects.ts';

const DropHint = later(async () => (await import('./frame/drop-hint.tsx')).DropHint);
const Palette = later(async () => (await import('./frame/palette/palette.tsx')).Palette);

export function App() {
  const route = useRoute();
  useActionKeys();
  useFocusKept();
  projects.useWatch('all');
  const place = placeOf(route);
  useDidUpdate(() => {
    leaveNotices(place);
    focusHeading();
  }, [place]);
  return (
    <Box className={classes['frame'] ?? ''}>
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
      <ConnectionBanner />
      <Box className={classes['middle'] ?? ''}>
        <Side route={route} />
        <Box className={classes['content'] ?? ''}>
          <CurrentScreen route={route} />
        </Box>
      </Box>
      {!takesFiles(route) && <DropHint route={route} />}
      <SavedViewActions />
      <Dialogs />
      <Jobs />
      <GlobalActions route={route} />
      <Palette route={route} />
    </Box>
  );
}

function CurrentScreen({ route }: { readonly route: Route }) {
  if (route.screen !== 'unknown') return screenOf(route);
  return (
    <Screen title="Nothing here">
      <Empty icon={IconMapQuestion} title="This address leads nowhere">
        {route.address} is not a screen of Fieldbench. The projects are behind its name, top left.
      </Empty>
    </Screen>
  );
}
