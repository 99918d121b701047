import { Box } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { IconMapQuestion } from '@tabler/icons-react';
import classes from './app.module.css';
import { Empty } from './components/screen/empty.tsx';
import { leaveNotices } from './components/work/notices.ts';
import { focusHeading, Screen } from './components/screen/screen.tsx';
import { useShortcuts } from './components/screen/use-shortcuts.ts';
import { Dialogs } from './dialogs.tsx';
import { ConnectionBanner } from './frame/connection-banner.tsx';
import { DropHint } from './frame/drop-hint.tsx';
import { Header } from './frame/header.tsx';
import { Palette } from './frame/palette.tsx';
import { placeOf, useRoute, type Route } from './router.ts';
import { screenOf, takesFiles } from './screens.tsx';
import { openDialog } from './stores/dialog.ts';
import { projects } from './stores/projects.ts';

const showKeys = () => openDialog({ kind: 'shortcuts' });

export function App() {
  const route = useRoute();
  projects.useWatch('all');
  // Layouts differ in whether "?" needs Shift.
  useShortcuts({ '?': showKeys, 'shift+?': showKeys });
  const place = placeOf(route);
  useDidUpdate(() => {
    leaveNotices(place);
    focusHeading();
  }, [place]);
  return (
    <Box className={classes['frame'] ?? ''}>
      <Header route={route} />
      <ConnectionBanner />
      <Box className={classes['content'] ?? ''}>
        <CurrentScreen route={route} />
      </Box>
      {!takesFiles(route) && <DropHint />}
      <Dialogs />
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
