import { Button, CloseButton, Group, Progress, Text } from '@mantine/core';
import { IconBan, IconCheck, IconQuestionMark, IconX } from '@tabler/icons-react';
import { countOf, formatBytes, formatDuration } from '../../format.ts';
import { removeRow, type TrayJob } from '../../stores/jobs.ts';
import classes from './job-row.module.css';
import { closeTray } from './tray.ts';

const ENDED = {
  done: { icon: IconCheck, word: 'Done', colour: 'light-dark(#1f6f31, #51cf66)' },
  failed: { icon: IconX, word: 'Failed', colour: 'var(--mantine-color-danger-text)' },
  cancelled: { icon: IconBan, word: 'Cancelled', colour: 'var(--mantine-color-dimmed)' },
  unknown: { icon: IconQuestionMark, word: 'Ended', colour: 'var(--mantine-color-dimmed)' },
};

const UNHEARD = 'The connection was lost meanwhile: how it went is not known here.';

/** Row of a job: name, progress or outcome, actions. */
export function JobRow({ row }: { readonly row: TrayJob }) {
  const { verb, about, state, done, total, cancel, retry, show } = row;
  const name = `${verb} ${about}`;
  return (
    <li className={classes['row']} aria-label={name}>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <Text size="sm" className={classes['name'] ?? ''} title={name}>
          <Text span inherit fw={600}>
            {verb}
          </Text>{' '}
          {about}
        </Text>
        {cancel && (
          <Button size="compact-xs" variant="default" onClick={cancel}>
            Cancel
          </Button>
        )}
        {retry && (
          <Button size="compact-xs" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
        {show && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => {
              closeTray();
              show();
            }}
          >
            Show
          </Button>
        )}
        {state !== 'running' && (
          <CloseButton size="sm" aria-label={`Dismiss ${name}`} onClick={() => removeRow(row.id)} />
        )}
      </Group>
      {state === 'running' && (
        <Progress
          mt={6}
          size="sm"
          value={total ? Math.min(100, (done / total) * 100) : 100}
          animated={!total}
          aria-label={name}
        />
      )}
      <Text size="xs" c="dimmed" mt={4} className={classes['facts'] ?? ''}>
        {state === 'running' ? <Progressing {...row} /> : <Ended {...row} state={state} />}
      </Text>
    </li>
  );
}

function Progressing({ done, total, unit, rate }: TrayJob) {
  const left = rate > 0 && total !== null ? (total - done) / rate : null;
  const parts = [
    total === null || total === 0
      ? amount(done, unit)
      : `${Math.floor(Math.min(1, done / total) * 100)} % of ${amount(total, unit)}`,
    ...(rate > 0 ? [`${amount(Math.round(rate), unit)}/s`] : []),
    ...(left !== null && left > 1 ? [`${formatDuration(left)} left`] : []),
  ];
  return parts.join(' · ');
}

function Ended({ state, result, problem }: TrayJob & { readonly state: keyof typeof ENDED }) {
  const { icon: Icon, word, colour } = ENDED[state];
  const says = { failed: problem, done: result, cancelled: null, unknown: UNHEARD }[state];
  return (
    <>
      <Text span inherit c={colour} fw={600}>
        <Icon size={12} aria-hidden className={classes['sign']} /> {word}
      </Text>
      {says !== null && says !== '' && ` · ${says}`}
    </>
  );
}

function amount(value: number, unit: TrayJob['unit']): string {
  return unit === 'bytes' ? formatBytes(value) : countOf(value, unit.slice(0, -1));
}
