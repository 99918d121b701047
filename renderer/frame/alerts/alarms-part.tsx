import { Anchor, Text, Title } from '@mantine/core';
import { IconBell, IconBellRinging, IconBellX } from '@tabler/icons-react';
import type { Alarm } from '#shared/operations/metadata/alarms.ts';
import { parseInstant } from '#shared/values/time.ts';
import { heldWords, momentWords, STATE_WORDS } from '../../components/alarms/alarm-words.ts';
import { shownName } from '../../components/facts/shown-name.ts';
import { countOf } from '../../format.ts';
import { hrefTo } from '../../router.ts';
import { dueAlarms } from '../../stores/alarms/alarms.ts';
import { alertsTray } from '../../stores/trays/alerts-tray.ts';
import classes from './alerts.module.css';

/** Alarms at the top of the list: the others are on their own screen. */
const FIRST = 10;
const SIGNS = { open: IconBellRinging, ended: IconBell, withdrawn: IconBellX } as const;

/** Alarms that are to be seen, before what is late or outside; nothing where there are none. */
export function AlarmsPart() {
  const { value } = dueAlarms.useValue('all');
  if (!value || value.due === 0) return null;
  const now = parseInstant(value.as_of) ?? 0;
  return (
    <section aria-labelledby="alarms-due">
      <Title order={3} size="h6" mb={6} id="alarms-due">
        Alarms to be seen
      </Title>
      <ul className={classes['list']} aria-label="Alarms to be seen">
        {value.alarms.slice(0, FIRST).map((alarm, at) => (
          <AlarmRow key={alarm.id} alarm={alarm} now={now} isFirst={at === 0} />
        ))}
      </ul>
      <Text size="sm" mb="lg">
        <Anchor href={hrefTo({ screen: 'alarms' })} onClick={alertsTray.close}>
          {value.due > FIRST ? `All ${countOf(value.due, 'alarm')}` : 'Acknowledge them on Alarms'}
        </Anchor>
      </Text>
    </section>
  );
}

function AlarmRow({
  alarm,
  now,
  isFirst,
}: {
  readonly alarm: Alarm;
  readonly now: number;
  readonly isFirst: boolean;
}) {
  const { id, state, rule, device, project, start } = alarm;
  const Sign = SIGNS[state];
  return (
    <li>
      <Anchor
        href={hrefTo({ screen: 'alarms', open: id })}
        underline="never"
        className={classes['row'] ?? ''}
        data-alarm={state}
        data-autofocus={isFirst || undefined}
        onClick={alertsTray.close}
      >
        <span className={classes['sign']}>
          <Sign size={16} aria-hidden />
        </span>
        <span className={classes['name']} dir="auto">
          {shownName(device)} <span>{shownName(project)}</span>
        </span>
        <span className={classes['what']} dir="auto">
          {STATE_WORDS[state]}: {rule}
        </span>
        <span className={classes['when']}>
          since {momentWords(parseInstant(start) ?? now, now)}, {heldWords(alarm, now)}
        </span>
      </Anchor>
    </li>
  );
}
