import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { parseTimeEntry } from '../chart/time/time-entry.ts';
import { FormDialog } from '../components/dialog/form-dialog.tsx';
import { useSubmit } from '../components/dialog/use-submit.ts';
import { parseDuration } from '../components/facts/duration-words.ts';
import { closeDialog } from '../stores/dialog.ts';
import { formatLocal, nowMicros } from '../time.ts';
import { silenceRule, type Silenceable } from './change-rules.ts';

const RULE =
  'Takes a time to come: a date (2026-11-19), a date and time (2026-11-19 18:00), a time of today (18:00), or how long (2 h, 3 d).';

/** Until when the acts of a rule are held back. */
export function SilenceDialog({ rule }: { readonly rule: Silenceable }) {
  const [typed, setTyped] = useState('');
  const until = untilOf(typed);
  const submit = useSubmit(async () => {
    if (until === null) throw new Error(RULE);
    await silenceRule(rule, until);
    closeDialog();
  });
  return (
    <FormDialog title={`Silence “${rule.name}”`} action="Silence" submit={submit} disabled={until === null}>
      <Text size="sm">Its alarms are raised all the same; nothing else is done until then.</Text>
      <TextInput
        label="Until"
        placeholder="18:00"
        description={until === null ? RULE : formatLocal(Math.floor(until / 1e6) * 1e6)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        error={typed.trim() !== '' && until === null ? 'No time to come.' : null}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
    </FormDialog>
  );
}

/** Null for what is no time, and for one that is over. */
function untilOf(typed: string): number | null {
  const now = nowMicros();
  const time = parseTimeEntry(typed, { now, zone: 'local', side: 'to' });
  const seconds = time === null ? parseDuration(typed) : null;
  const until = time ?? (seconds === null ? null : now + seconds * 1e6);
  return until !== null && until > now ? Math.floor(until) : null;
}
