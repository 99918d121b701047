import { Box } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { IconMapQuestion } from '@tabler/icons-react';
import classes from './app.module.css';
import { Empty } from './components/empty.tsx';
import { leaveNotices, screenOf } from './components/notices.ts';
import { focusHeading, Screen } from './components/screen.tsx';
import { useShortcuts } from './components/use-shortcuts.ts';
import { Dialogs } from './dialogs.tsx';
import { ConnectionBanner } from './frame/connection-banner.tsx';
import { DropHint } from './frame/drop-hint.tsx';
import { Header } from './frame/header.tsx';
import { Palette } from './frame/palette.tsx';
import { useRoute, type Route } from './router.ts';
import { openDialog } from './stores/dialog.ts';
import { projects } from './stores/projects.ts';
import { ApiKeysScreen } from './views/api-keys/api-keys-screen.tsx';
import { DeviceScreen } from './views/device/device-screen.tsx';
import { DevicesScreen } from './views/devices/devices-screen.tsx';
import { ProjectsScreen } from './views/projects/projects-screen.tsx';
import { ServiceScreen } from './views/service/service-screen.tsx';

const showKeys = () => openDialog({ kind: 'keys-help' });

export function App() {
  const route = useRoute();
  projects.useWatch('all');
  // Layouts differ in whether "?" needs Shift.
  useShortcuts({ '?': showKeys, 'shift+?': showKeys });
  const screen = screenOf(route);
  useDidUpdate(() => {
    leaveNotices(screen);
    focusHeading();
  }, [screen]);
  return (
    <Box className={classes['frame'] ?? ''}>
      <Header route={route} />
      <ConnectionBanner />
      <Box className={classes['content'] ?? ''}>
        <CurrentScreen route={route} />
      </Box>
      {route.screen !== 'device' && <DropHint />}
      <Dialogs />
      <Palette route={route} />
    </Box>
  );
}

function CurrentScreen({ route }: { readonly route: Route }) {
  switch (route.screen) {
    case 'projects':
      return <ProjectsScreen />;
    case 'devices':
      return <DevicesScreen key={route.project_id} project_id={route.project_id} />;
    case 'device':
      return <DeviceScreen key={route.device_id} {...route} />;
    case 'api-keys':
      return <ApiKeysScreen />;
    case 'service':
      return <ServiceScreen />;
    case 'unknown':
      return (
        <Screen title="Nothing here">
          <Empty icon={IconMapQuestion} title="This address leads nowhere">
            {route.address} is not a screen of Fieldbench. The projects are behind its name, top left.
          </Empty>
        </Screen>
      );
  }
}
