import { Anchor, Collapse, Group, SegmentedControl, Text, Title, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useState } from 'react';
import type { SeenRequest } from '#shared/operations/service/requests.ts';
import { parseInstant } from '#shared/values/time.ts';
import {
  doorWords,
  outcomeWords,
  statusWords,
  tookWords,
} from '../../../components/facts/requests/request-words.ts';
import { Excerpt } from '../../../components/facts/requests/excerpt.tsx';
import { FaultBadge } from '../../../components/facts/requests/fault-badge.tsx';
import { Moment } from '../../../components/facts/moment.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { countOf } from '../../../format.ts';
import { currentRoute, goTo, hrefTo } from '../../../router.ts';
import { requestsOf } from '../../../stores/requests/requests.ts';
import classes from './connect-panel.module.css';

interface LastRequestsProps {
  readonly project_id: string;
  readonly device_id: string;
  readonly refused: boolean;
}

/** The last requests of a device, each with what became of it and why. */
export function LastRequests({ project_id, device_id, refused }: LastRequestsProps) {
  requestsOf.useWatch(device_id);
  const { value, error } = requestsOf.useValue(device_id);
  const shown = value?.filter((request) => !refused || request.refused);
  return (
    <section aria-labelledby="last-requests">
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} size="h5" id="last-requests">
          Last requests
        </Title>
        <SegmentedControl
          size="xs"
          aria-label="Which requests"
          value={refused ? 'refused' : 'all'}
          onChange={(next) => show({ project_id, device_id }, next === 'refused')}
          data={[
            { value: 'all', label: 'All' },
            { value: 'refused', label: 'Refused' },
          ]}
        />
      </Group>
      {error !== null && <Problem message={error} onRetry={requestsOf.reload} />}
      {shown && shown.length > 0 && (
        <ul className={classes['list']} aria-label="Last requests">
          {shown.map((request) => (
            <RequestRow key={request.id} request={request} />
          ))}
        </ul>
      )}
      {shown?.length === 0 && (
        <Text size="sm" c="dimmed">
          {refused && value && value.length > 0 ? (
            'Nothing was refused.'
          ) : (
            <>
              None since the service was started. A request with an unknown token cannot be told to be of this
              device:{' '}
              <Anchor href={hrefTo({ screen: 'requests', outcome: 'refused' })} inherit underline="always">
                all refused requests
              </Anchor>
              .
            </>
          )}
        </Text>
      )}
      <Text size="xs" c="dimmed" mt="xs">
        The last 50 are kept, in memory, without tokens.
      </Text>
    </section>
  );
}

function show(of: { readonly project_id: string; readonly device_id: string }, refused: boolean): void {
  const now = currentRoute();
  const kept = now.screen === 'device' && now.chart ? { chart: now.chart } : {};
  goTo({ screen: 'device', ...of, tab: 'connect', ...kept, ...(refused && { refused }) });
}

function RequestRow({ request }: { readonly request: SeenRequest }) {
  const [isOpen, setIsOpen] = useState(false);
  const { refused, body, more } = request;
  const Icon = refused ? IconCircleX : IconCircleCheck;
  const Chevron = isOpen ? IconChevronUp : IconChevronDown;
  return (
    <li>
      <UnstyledButton
        className={classes['request'] ?? ''}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon
          size={16}
          role="img"
          aria-label={refused ? 'Refused' : 'Accepted'}
          color={`var(--mantine-color-${refused ? 'danger' : 'teal'}-text)`}
        />
        <Moment at={parseInstant(request.time) ?? 0} clock />
        <span className={`mono ${classes['status']}`}>{statusWords(request)}</span>
        <span className={classes['outcome']}>
          {outcomeWords(request)}
          <FaultBadge request={request} />
          {more > 0 && <span className={classes['more']}> · {countOf(more, 'more', 'more')} like it</span>}
        </span>
        <Chevron size={14} aria-hidden />
        {body !== null && !isOpen && <span className={classes['excerpt']}>{body}</span>}
      </UnstyledButton>
      <Collapse expanded={isOpen}>
        <div className={classes['details']}>
          <Text size="xs" c="dimmed">
            {doorWords(request)} · {request.method} <span className="mono">{request.path}</span> · from{' '}
            {request.from} · {tookWords(request)}
            {request.token !== null && ` · token begins with ${request.token}`}
          </Text>
          {body !== null && <Excerpt label="Beginning of the body" text={body} />}
        </div>
      </Collapse>
    </li>
  );
}
