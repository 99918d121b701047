import { Input, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import type { DeviceFunction } from '#shared/schema/schemas.ts';
import { formatMicros } from '#shared/values/time.ts';
import { FormDialog } from '../../../components/dialog/form-dialog.tsx';
import { AskedReasonField, requireReason, useAskedReason } from '../../../components/dialog/reason-field.tsx';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { Problem } from '../../../components/work/problem.tsx';
import { Loading } from '../../../components/work/loading.tsx';
import { readUntil } from '../../../components/work/undo-toast.tsx';
import { useRead } from '../../../components/work/use-read.ts';
import { countOf } from '../../../format.ts';
import { useCorrections } from '../../../stores/corrections.ts';
import { useDecoders } from '../../../stores/decoders.ts';
import { closeDialog } from '../../../stores/dialog.ts';
import type { Zone } from '../../../time.ts';
import { SpanFields } from '../corrections/fields/span-fields.tsx';
import { spanProblems } from '../corrections/fields/span-problems.ts';
import { useTimeEntry } from '../corrections/fields/use-time-entry.ts';
import { startDecoding, type Range } from './change-decoders.ts';
import { previewWords } from './difference-rows.ts';
import { Differences } from './differences.tsx';
import { useQuestion } from './use-question.ts';

interface DecodeAgainDialogProps {
  readonly decoder: DeviceFunction;
  /** Name of the device. */
  readonly device: string;
  readonly zone: Zone;
}

/** The past decoded again by what is saved: of which time, what would change, and then that. */
export function DecodeAgainDialog({ decoder, device, zone }: DecodeAgainDialogProps) {
  const { project_id, device_id, id } = decoder;
  const [isAll, setIsAll] = useState(true);
  const from = useTimeEntry(null, zone, 'from');
  const to = useTimeEntry(null, zone, 'to');
  const [tried, setTried] = useState(false);
  const asked = useAskedReason(project_id);
  const { found: answer, error, busy, run, clear } = useQuestion('functions.preview');
  const { script, condition } =
    useDecoders(project_id, device_id ?? '').find((one) => one.id === id) ?? decoder;
  const saved = JSON.stringify([script, condition]);
  const [previewed, setPreviewed] = useState('');
  // Decoding again is by what is saved now.
  const found = previewed === saved ? answer : null;
  const { value: until } = useRead(readUntil);
  const isStored = useCorrections(project_id, device_id ?? '').list.some(({ kind }) => kind === 'time');
  const problems = spanProblems(from, to, true);
  const range: Range = isAll
    ? {}
    : {
        ...(from.at !== null && { start: formatMicros(from.at) }),
        ...(to.at !== null && { end: formatMicros(to.at) }),
      };
  // What was found is of another span.
  const cleared = <T,>(act: (value: T) => void) => {
    return (value: T) => {
      clear();
      act(value);
    };
  };
  const submit = useSubmit(() => {
    setTried(true);
    if (!isAll && (problems.from !== null || problems.to !== null)) return Promise.resolve();
    if (found === null) {
      setPreviewed(saved);
      run({ project_id, function_id: id, ...range });
    } else {
      requireReason(asked);
      startDecoding(decoder, device, range, asked.why);
      closeDialog();
    }
    return Promise.resolve();
  });
  const shown = (side: 'from' | 'to') => (tried ? problems[side] : null);
  return (
    <FormDialog
      title={`Decode “${device}” again`}
      action={found === null ? 'Preview' : `Decode ${countOf(found.changed, 'record')} again`}
      submit={submit}
      disabled={busy || found?.changed === 0}
      focusAction={!asked.isAsked || found === null}
      fields={asked.fields}
      size="xl"
    >
      <Text size="sm">
        “{decoder.name}” decodes the bytes that are stored; their times stay. The values of before are kept.{' '}
        {until}
      </Text>
      <Input.Wrapper label="Of which time" labelElement="div">
        <SegmentedControl
          fullWidth
          mt={4}
          aria-label="Of which time"
          value={isAll ? 'all' : 'span'}
          onChange={cleared((value) => setIsAll(value === 'all'))}
          data={[
            { value: 'all', label: 'All' },
            { value: 'span', label: 'From, to' },
          ]}
        />
      </Input.Wrapper>
      {!isAll && (
        <SpanFields
          from={{ ...from, set: cleared(from.set) }}
          to={{ ...to, set: cleared(to.set) }}
          isStored={isStored}
          empty={{ from: 'the first record', to: 'the last record' }}
          errors={{ from: shown('from'), to: shown('to') }}
        />
      )}
      <div role="status" aria-label="What would change">
        {busy && <Loading h={80} label="Decoding to see what would change" />}
        {found && <Text size="sm">{previewWords(found)}</Text>}
      </div>
      {error !== null && <Problem message={error} />}
      {found && found.changed > 0 && <AskedReasonField {...asked} problem={submit.error} />}
      {found && <Differences preview={found} />}
    </FormDialog>
  );
}
