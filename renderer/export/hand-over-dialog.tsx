import { Text } from '@mantine/core';
import { useState } from 'react';
import { FORMAT_NAMES } from '#shared/domain/file-formats.ts';
import { HANDOVER_FORMATS, type HandoverFormat } from '#shared/operations/service/handover.ts';
import { formatMicros } from '#shared/values/time.ts';
import type { TimeSpan } from '../chart/time/window.ts';
import { FormDialog } from '../components/dialog/form-dialog.tsx';
import { useSubmit } from '../components/dialog/use-submit.ts';
import { countOf } from '../format.ts';
import { closeDialog } from '../stores/dialog.ts';
import { formatLocal, zoneOffset } from '../time.ts';
import { Choice } from './export-fields.tsx';
import { SigningKey } from './signing-key.tsx';
import { startHandOver, type HandedOver } from './start-hand-over.ts';

interface HandOverDialogProps {
  readonly project_id: string;
  readonly devices: readonly HandedOver[];
  /** The span that may be handed over alone. */
  readonly span?: TimeSpan | undefined;
}

/** Devices as a signed package: which records, and written how. */
export function HandOverDialog({ project_id, devices, span }: HandOverDialogProps) {
  const [records, setRecords] = useState<'this' | 'all'>(span ? 'this' : 'all');
  const [format, setFormat] = useState<HandoverFormat>('csv');
  const submit = useSubmit(() => {
    const range =
      span && records === 'this' ? { start: formatMicros(span.from), end: formatMicros(span.to) } : {};
    startHandOver({ project_id, devices, input: { format, ...range } });
    closeDialog();
    return Promise.resolve();
  });
  const [only] = devices.length === 1 ? devices : [];
  return (
    <FormDialog
      title={only ? `Hand over “${only.name}”` : `Hand over ${countOf(devices.length, 'device')}`}
      action="Hand over"
      submit={submit}
      focusAction
      size="lg"
    >
      <Text size="sm">
        One zip file: records as they were stored and as corrected, the corrections with their history, notes,
        facts, what the audit trail says of them, and a signature. Its reader can check all of it without
        Fieldbench.
      </Text>
      {span && (
        <>
          <Choice
            label="Records"
            value={records}
            onChange={setRecords}
            data={[
              { value: 'this', label: 'This span' },
              { value: 'all', label: 'Everything' },
            ]}
          />
          {records === 'this' && (
            <Text size="sm" c="dimmed">
              {formatLocal(span.from)} – {formatLocal(span.to)} ({zoneOffset(span.to)})
            </Text>
          )}
        </>
      )}
      <Choice
        label="Format"
        value={format}
        onChange={setFormat}
        data={HANDOVER_FORMATS.map((value) => ({ value, label: FORMAT_NAMES[value].label }))}
      />
      <SigningKey />
    </FormDialog>
  );
}
