import { Anchor, Badge, Box, Button, Group, Loader, Text } from '@mantine/core';
import { IconArrowLeft, IconLock } from '@tabler/icons-react';
import type { KeyRights } from '#shared/operations/service/other-services.ts';
import type { Distant } from '#shared/bridge/wire.ts';
import { reachAgain } from '../bridge/bridge.ts';
import { useLostAt } from '../bridge/connection.ts';
import { useDistant } from '../bridge/distant.ts';
import { hrefAt } from '../bridge/place.ts';
import { countOf } from '../format.ts';
import { formatClock } from '../time.ts';
import classes from './distant-line.module.css';

/** Line on every screen of a service elsewhere: its name, this window's rights, its state. */
export function DistantLine() {
  const distant = useDistant();
  const { service, rights, state } = distant;
  const colour = service?.colour ?? 'gray';
  return (
    <Box
      component="section"
      aria-label="Service elsewhere"
      className={classes['line'] ?? ''}
      style={{ '--line-colour': `var(--mantine-color-${colour}-filled)` }}
    >
      <Group gap="sm" px="lg" py={5} wrap="wrap">
        <span className={classes['dot']} aria-hidden />
        <Text size="sm" fw={650} className={classes['name'] ?? ''}>
          {service?.name ?? 'A service elsewhere'}
        </Text>
        {service && (
          <Text size="xs" c="dimmed" className={classes['address'] ?? ''}>
            {service.address}
          </Text>
        )}
        {service?.read_only && (
          <Badge size="sm" variant="outline" color="gray" tt="none" fw={600} c="var(--mantine-color-text)">
            read-only
          </Badge>
        )}
        {rights && (
          <Text size="xs" c="dimmed">
            {rightsWords(rights)}
          </Text>
        )}
        <Anchor href={hrefAt(null)} size="xs" ml="auto" className={classes['back'] ?? ''}>
          <IconArrowLeft size={14} aria-hidden /> Back to this machine
        </Anchor>
      </Group>
      {state !== 'connected' && state !== 'connecting' && <Away distant={distant} />}
    </Box>
  );
}

/** Says that it is not there, why, and what will come of it. */
function Away({ distant: { state, service, problem } }: { readonly distant: Distant }) {
  const name = service ? `“${service.name}”` : 'The service';
  const lostAt = useLostAt();
  const words = {
    lost: `${name} is away, trying again.`,
    'kept-out': `${name} does not let this window in.`,
    unknown: '',
  };
  return (
    <Box role="alert" bg="yellow.3" c="dark.9" py={6} px="lg">
      <Group gap="sm" justify="center">
        {state === 'lost' ? <Loader size={14} color="dark" /> : <IconLock size={16} aria-hidden />}
        <Text size="sm" fw={500}>
          {state === 'lost' || state === 'kept-out' || state === 'unknown' ? words[state] : ''} {problem}
          {lostAt !== null && ` What is shown is as of ${formatClock(lostAt)}.`}
          {state === 'kept-out' && ' Enter another API key under Other services of this machine.'}
        </Text>
        {state !== 'unknown' && (
          <Button size="compact-xs" variant="white" color="dark" onClick={reachAgain}>
            Try now
          </Button>
        )}
      </Group>
    </Box>
  );
}

/** `API key: read, write · 2 projects`; of a service of the document, what it has not. */
function rightsWords({ kind, permissions, project_ids }: KeyRights): string {
  if (kind === 'document')
    return 'answers /v2 alone: no import, export, notes, key settings, undo, statistics or live events';
  const where = project_ids === null ? '' : ` · ${countOf(project_ids.length, 'project')}`;
  return `API key: ${(permissions ?? []).join(', ')}${where}`;
}
