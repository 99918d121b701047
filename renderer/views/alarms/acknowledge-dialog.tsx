import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Alarm } from '#shared/operations/metadata/alarms.ts';
import { ask } from '../../bridge/ask.ts';
import { errorOf } from '../../components/dialog/field-error.ts';
import { FormDialog } from '../../components/dialog/form-dialog.tsx';
import { useSubmit } from '../../components/dialog/use-submit.ts';
import { alarmLine } from '../../components/alarms/alarm-words.ts';
import { sayDone } from '../../components/work/notices.ts';
import { countOf } from '../../format.ts';
import { dueAlarms, listedAlarms } from '../../stores/alarms/alarms.ts';
import { closeDialog } from '../../stores/dialog.ts';
import { nowMicros } from '../../time.ts';

const LONGEST = 500;
/** Alarms that are named before those that follow are counted. */
const NAMED = 3;

/** Says that somebody has seen alarms, in words where they have any. */
export function AcknowledgeDialog({ alarms }: { readonly alarms: readonly Alarm[] }) {
  const [text, setText] = useState('');
  const [done, setDone] = useState(0);
  const [now] = useState(nowMicros);
  const submit = useSubmit(async () => {
    try {
      for (const { project_id, id } of alarms.slice(done)) {
        await ask('alarms.acknowledge', { project_id, alarm_id: id, text: text.trim() });
        setDone((before) => before + 1);
      }
    } finally {
      dueAlarms.reload();
      listedAlarms.reload();
    }
    closeDialog();
    sayDone(`${countOf(alarms.length, 'alarm')} acknowledged`, text.trim());
  });
  const [first] = alarms;
  const title =
    alarms.length === 1 && first
      ? `Acknowledge “${first.rule}”`
      : `Acknowledge ${countOf(alarms.length, 'alarm')}`;
  return (
    <FormDialog title={title} action="Acknowledge" submit={submit} fields={['text']}>
      <div>
        {alarms.slice(0, NAMED).map((alarm) => (
          <Text key={alarm.id} size="sm" dir="auto">
            {alarm.device} · {alarmLine(alarm, now)}
          </Text>
        ))}
        {alarms.length > NAMED && (
          <Text size="sm" c="dimmed">
            and {countOf(alarms.length - NAMED, 'more', 'more')}
          </Text>
        )}
      </div>
      <TextInput
        label="What was found, or done"
        description="Stands with the alarm, for who looks later. It may be left empty."
        value={text}
        maxLength={LONGEST}
        error={errorOf(submit.error, 'text')}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
    </FormDialog>
  );
}
