import { ActionIcon, Anchor, Box, Breadcrumbs, Button, Group, Kbd, Text, Tooltip } from '@mantine/core';
import { spotlight } from '@mantine/spotlight';
import { IconKey, IconKeyboard, IconSearch, IconServer } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useConnection } from '../bridge/connection.ts';
import { hrefTo, type Route } from '../router.ts';
import { deviceKey, deviceDetail } from '../stores/devices.ts';
import { openDialog } from '../stores/dialog.ts';
import { projects } from '../stores/projects.ts';
import classes from './header.module.css';
import { ThemeToggle } from './theme-toggle.tsx';

/** The product, where one is, and what is reachable from everywhere. */
export function Header({ route }: { readonly route: Route }) {
  return (
    <Group component="header" className={classes['header'] ?? ''} wrap="nowrap" justify="space-between">
      <Group gap="sm" wrap="nowrap" miw={0}>
        <Anchor href={hrefTo({ screen: 'projects' })} className={classes['brand'] ?? ''} underline="never">
          <img src="./icon.svg" alt="" width={22} height={22} />
          Fieldbench
        </Anchor>
        <Trail route={route} />
      </Group>
      <Group gap={6} wrap="nowrap" component="nav" aria-label="Main" className={classes['main'] ?? ''}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconSearch size={14} />}
          rightSection={
            <Kbd size="xs" aria-hidden>
              Ctrl K
            </Kbd>
          }
          onClick={spotlight.open}
          visibleFrom="sm"
        >
          Go to…
        </Button>
        <ScreenLink label="API keys" screen="api-keys" icon={<IconKey size={18} />} />
        <ScreenLink label="Service" screen="service" icon={<IconServer size={18} />} />
        <Tooltip label="Keyboard shortcuts (?)">
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label="Keyboard shortcuts"
            onClick={() => openDialog({ kind: 'keys-help' })}
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

function Trail({ route }: { readonly route: Route }) {
  const steps = useTrail(route);
  return (
    <Breadcrumbs
      component="nav"
      aria-label="Breadcrumb"
      className={classes['trail'] ?? ''}
      separatorMargin={8}
    >
      {steps.map(({ label, href }, index) => (
        <Anchor
          key={href}
          href={href}
          size="sm"
          truncate
          aria-current={index === steps.length - 1 ? 'page' : undefined}
          c={index === steps.length - 1 ? 'var(--mantine-color-text)' : 'dimmed'}
        >
          {label}
        </Anchor>
      ))}
    </Breadcrumbs>
  );
}

interface Step {
  readonly label: string;
  readonly href: string;
}

function useTrail(route: Route): Step[] {
  const { value } = projects.useValue('all');
  const project_id = 'project_id' in route ? route.project_id : '';
  const device_id = 'device_id' in route ? route.device_id : '';
  const page = deviceDetail.useValue(deviceKey(project_id, device_id)).value;
  const nameOfProject = value?.find((project) => project.id === project_id)?.name ?? 'Project';
  const steps: Step[] = [];
  if (route.screen === 'api-keys') steps.push({ label: 'API keys', href: hrefTo(route) });
  else if (route.screen === 'service') steps.push({ label: 'Service', href: hrefTo(route) });
  else steps.push({ label: 'Projects', href: hrefTo({ screen: 'projects' }) });
  if (project_id) steps.push({ label: nameOfProject, href: hrefTo({ screen: 'devices', project_id }) });
  if (route.screen === 'device')
    steps.push({ label: page?.device.name ?? 'Device', href: hrefTo({ ...route, tab: 'chart' }) });
  return steps;
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
        <Text size="xs" c="dimmed" visibleFrom="md">
          {short}
        </Text>
      </Box>
    </Tooltip>
  );
}

interface ScreenLinkProps {
  readonly label: string;
  readonly screen: 'api-keys' | 'service';
  readonly icon: ReactNode;
}

function ScreenLink({ label, screen, icon }: ScreenLinkProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        component="a"
        href={hrefTo({ screen })}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
