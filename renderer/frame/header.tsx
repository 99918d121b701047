import { ActionIcon, Anchor, Box, Breadcrumbs, Button, Group, Kbd, Text, Tooltip } from '@mantine/core';
import { IconKeyboard, IconSearch } from '@tabler/icons-react';
import type { PointerEvent } from 'react';
import { useConnection } from '../bridge/connection.ts';
import { May } from '../components/work/may.tsx';
import { hrefTo, placeOf, trailOf, type Route } from '../router.ts';
import { nameOf } from '../screens.tsx';
import { openDialog } from '../stores/dialog.ts';
import classes from './header.module.css';
import { AlertsButton } from './alerts/alerts-button.tsx';
import { JobsButton } from './jobs/jobs-button.tsx';
import { palette } from '../stores/palette.ts';
import { SidebarButton } from './sidebar/sidebar-button.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

/** The product, where one is, and what is reachable from everywhere. */
export function Header({ route }: { readonly route: Route }) {
  return (
    <Group component="header" className={classes['header'] ?? ''} wrap="nowrap" justify="space-between">
      <Group gap="sm" wrap="nowrap" miw={0}>
        <SidebarButton />
        <Anchor href={hrefTo({ screen: 'projects' })} className={classes['brand'] ?? ''} underline="never">
          <img src="./icon.svg" alt="" width={22} height={22} />
          Fieldbench
        </Anchor>
        <Trail route={route} />
      </Group>
      <Group gap={6} wrap="nowrap" className={classes['main'] ?? ''}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconSearch size={14} />}
          rightSection={
            <Kbd size="xs" aria-hidden>
              Ctrl K
            </Kbd>
          }
          onClick={palette.open}
          visibleFrom="md"
        >
          Go to…
        </Button>
        <Tooltip label="Go to… (Ctrl K)">
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label="Go to…"
            onClick={palette.open}
            hiddenFrom="md"
          >
            <IconSearch size={18} />
          </ActionIcon>
        </Tooltip>
        <May to="alerts.list">
          <AlertsButton />
        </May>
        <JobsButton />
        <Tooltip label="Keyboard shortcuts (?)">
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label="Keyboard shortcuts"
            onClick={() => openDialog({ kind: 'shortcuts' })}
          >
            <IconKeyboard size={18} />
          </ActionIcon>
        </Tooltip>
        <ThemeToggle />
        <ConnectionState />
      </Group>
    </Group>
  );
}

/** Tells the whole of a name, which may be cut. */
function tellWhole({ currentTarget }: PointerEvent<HTMLAnchorElement>): void {
  currentTarget.title = currentTarget.textContent;
}

function Trail({ route }: { readonly route: Route }) {
  const steps = trailOf(route);
  return (
    <Breadcrumbs
      component="nav"
      aria-label="Breadcrumb"
      className={classes['trail'] ?? ''}
      separatorMargin={8}
    >
      {steps.map((step, index) => (
        <Anchor
          key={placeOf(step)}
          href={hrefTo(step)}
          size="sm"
          truncate
          dir="auto"
          onPointerEnter={tellWhole}
          aria-current={index === steps.length - 1 ? 'page' : undefined}
          c={index === steps.length - 1 ? 'var(--mantine-color-text)' : 'dimmed'}
        >
          {nameOf(step)}
        </Anchor>
      ))}
    </Breadcrumbs>
  );
}

const STATES = {
  connecting: {
    short: 'Connecting…',
    label: 'Connecting to the service',
    color: 'var(--mantine-color-yellow-6)',
  },
  connected: { short: 'Connected', label: 'Connected to the service', color: 'var(--mantine-color-teal-6)' },
  lost: { short: 'Offline', label: 'Connection to the service lost', color: 'var(--mantine-color-red-6)' },
  'signed-out': {
    short: 'Signed out',
    label: 'The service does not know this window any more',
    color: 'var(--mantine-color-red-6)',
  },
};

function ConnectionState() {
  const { short, label, color } = STATES[useConnection((connection) => connection.state)];
  return (
    <Tooltip label={label}>
      <Box role="status" aria-label={label} className={classes['state'] ?? ''}>
        <Box className={classes['dot'] ?? ''} style={{ background: color }} />
        <Text size="xs" c="dimmed" visibleFrom="sm">
          {short}
        </Text>
      </Box>
    </Tooltip>
  );
}
