import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconHistory } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { parseInstant } from '#shared/values/time.ts';
import { Loading } from '../components/work/loading.tsx';
import { Problem } from '../components/work/problem.tsx';
import { countOf, formatCount } from '../format.ts';
import { formatLocal, nowMicros } from '../time.ts';
import { lastedWords, triedFirings, triedProblem, triedWords, type TriedFiring } from './tried-words.ts';
import type { TriedOf } from './use-tried.ts';
import classes from './rules.module.css';

interface TriedResultProps {
  readonly tried: TriedOf;
  /** Whether it is of what is written now. */
  readonly isNow: boolean;
  /** Why it cannot be tried; null where it can. */
  readonly lack: string | null;
  /** Whether it is tried only when somebody asks: why. */
  readonly waits: string | null;
  readonly days: number;
  readonly isOfTag: boolean;
  /** What its firings are called by, and where each is on a chart. */
  readonly nameOf: (device_id: string) => string;
  readonly hrefOf: (firing: TriedFiring) => string;
  /** Chart beside it, on which the firings are drawn. */
  readonly chart: ReactNode;
}

/** Firings at first: the newest ones say most. */
const FIRST = 50;

/** Trial of a rule on the past: how often it would have fired, and when. */
export function TriedResult({ tried, isNow, lack, waits, days, isOfTag, ...rest }: TriedResultProps) {
  const { nameOf, hrefOf, chart } = rest;
  const { found, refused, busy, soon } = tried;
  const [isWhole, setWhole] = useState(false);
  const firings = found && isNow ? triedFirings(found) : [];
  const shown = isWhole ? firings : firings.slice(0, FIRST);
  const count = found?.reduce((sum, one) => sum + one.count, 0) ?? 0;
  const problem = found && isNow && !busy ? triedProblem(found) : null;
  const now = nowMicros();
  return (
    <section aria-labelledby="rule-tried" className={classes['seen']}>
      <Paper withBorder px="md" py={10}>
        <Group gap="xs" mih={30}>
          <Title order={2} size="h5" id="rule-tried">
            Tried on the past
          </Title>
          <div role="status" aria-label="What it would have done" className={classes['came']}>
            {lack !== null && (
              <Text size="sm" c="dimmed">
                {lack}
              </Text>
            )}
            {lack === null && busy && <Loading h={24} label="Reading the past" />}
            {lack === null && !busy && !isNow && waits !== null && (
              <Text size="sm" c="dimmed">
                {waits}
              </Text>
            )}
            {lack === null && !busy && isNow && found && (
              <Text size="sm" fw={600}>
                {triedWords(found, days, isOfTag)}
              </Text>
            )}
          </div>
          {busy ? (
            <Button size="compact-sm" variant="subtle" onClick={tried.cancel}>
              Cancel
            </Button>
          ) : (
            lack === null &&
            !isNow &&
            !soon && (
              <Button
                size="compact-sm"
                variant="default"
                leftSection={<IconHistory size={14} />}
                onClick={tried.now}
              >
                Try it
              </Button>
            )
          )}
        </Group>
        {problem !== null && (
          <Text size="sm" className={classes['fault'] ?? ''}>
            <IconAlertTriangle size={14} aria-hidden /> <bdi>{problem}</bdi>
          </Text>
        )}
        {isNow && refused !== null && <Problem message={refused} onRetry={tried.now} />}
      </Paper>
      {chart}
      {firings.length > 0 && (
        <Paper withBorder px="md" py={6}>
          <ul className={classes['firings']} aria-label="Firings">
            {shown.map((firing) => (
              <li key={`${firing.device_id} ${firing.start}`}>
                <a href={hrefOf(firing)} className={classes['firing']}>
                  <span>
                    {isOfTag && <bdi>{nameOf(firing.device_id)} · </bdi>}
                    {formatLocal(Math.floor((parseInstant(firing.start) ?? 0) / 1e6) * 1e6)}
                  </span>
                  <span>{lastedWords(firing, now)}</span>
                </a>
              </li>
            ))}
          </ul>
          {shown.length < firings.length && (
            <Button size="compact-sm" variant="subtle" onClick={() => setWhole(true)}>
              Show {countOf(firings.length - shown.length, 'more', 'more')}
            </Button>
          )}
          {isWhole && firings.length < count && (
            <Text size="xs" c="dimmed">
              The newest {formatCount(firings.length)} of {formatCount(count)}.
            </Text>
          )}
        </Paper>
      )}
    </section>
  );
}
