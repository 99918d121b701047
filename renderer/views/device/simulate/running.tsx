import { Badge, Button, Text } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import { useState } from 'react';
import type { Simulator } from '#shared/operations/service/simulators.ts';
import { parseInstant } from '#shared/values/time.ts';
import { ask, messageOf } from '../../../bridge/ask.ts';
import { Moment } from '../../../components/facts/moment.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { countOf, formatCount, formatSpan } from '../../../format.ts';
import classes from './simulate-dialog.module.css';

const STATE_LABELS = { running: 'Running', done: 'Done', failed: 'Failed' } as const;
const STATE_COLOURS = { running: 'teal', done: 'gray', failed: 'danger' } as const;

/** The simulators of a device, each with its counts and the way to stop it. */
export function Running({ simulators }: { readonly simulators: readonly Simulator[] }) {
  return (
    <ul className={classes['running']} aria-label="Simulators of this device">
      {simulators.map((simulator) => (
        <Row key={simulator.id} simulator={simulator} />
      ))}
    </ul>
  );
}

function Row({ simulator }: { readonly simulator: Simulator }) {
  const [isStopping, setIsStopping] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { id, state, stored, refused, next } = simulator;
  const isRunning = state === 'running';
  const what = whatWords(simulator);
  const stop = async () => {
    setIsStopping(true);
    setProblem(null);
    try {
      await ask('simulators.delete', { simulator_id: id });
    } catch (error) {
      setProblem(messageOf(error));
      setIsStopping(false);
    }
  };
  return (
    <li>
      <div className={classes['simulator']}>
        <Badge
          variant="outline"
          color={STATE_COLOURS[state]}
          c="var(--mantine-color-text)"
          tt="none"
          fw={500}
        >
          {STATE_LABELS[state]}
        </Badge>
        <Text size="sm" component="span" className={classes['what'] ?? ''} title={what}>
          {what}
        </Text>
        <Text size="sm" c="dimmed" component="span" className={classes['counts'] ?? ''}>
          {formatCount(stored)} stored
          {refused > 0 && ` · ${formatCount(refused)} refused`}
          {next !== null && (
            <>
              {' · next '}
              <Moment at={parseInstant(next) ?? 0} clock />
            </>
          )}
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          loading={isStopping}
          leftSection={<IconPlayerStop size={14} />}
          aria-label={`${isRunning ? 'Stop' : 'Forget'} ${what}`}
          onClick={() => void stop()}
        >
          {isRunning ? 'Stop' : 'Forget'}
        </Button>
      </div>
      {simulator.problem !== null && (
        <Text size="xs" c="danger">
          {simulator.problem}
        </Text>
      )}
      {problem !== null && <Problem message={problem} />}
    </li>
  );
}

/** `temperature, humidity · every 5 s`, or `replay`. */
function whatWords({ keys, every_ms, replay, speed }: Simulator): string {
  if (replay !== null) return speed === 'max' ? 'replay, at once' : `replay, ${speed ?? 1} times as fast`;
  const names = Object.keys(keys ?? {});
  const shown = names.length > 3 ? countOf(names.length, 'key') : names.join(', ');
  return `${shown} · every ${formatSpan((every_ms ?? 0) * 1000)}`;
}
