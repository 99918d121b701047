import { Anchor, TagsInput, Text } from '@mantine/core';
import { useState } from 'react';
import { FORMAT_NAMES, MOST_ALSO } from '#shared/domain/file-formats.ts';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { labelOfRange, RANGES, spanOfRange, type Range } from '../../../chart/time/range.ts';
import { FormDialog } from '../../../components/dialog/form-dialog.tsx';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { FIRST_CHOICES, inputOf } from '../../../export/export-choices.ts';
import { Choice, ExportFields, ViewChoice } from '../../../export/export-fields.tsx';
import { May } from '../../../components/work/may.tsx';
import { mayHandOver } from '../../../export/start-hand-over.ts';
import { saveExport } from '../../../export/save-export.ts';
import { startExport } from '../../../export/start-export.ts';
import { countOf } from '../../../format.ts';
import { closeDialog, openDialog } from '../../../stores/dialog.ts';
import { nowMicros } from '../../../time.ts';
import { forEachDevice } from './each-device.ts';

interface ExportDevicesProps {
  readonly project_id: string;
  readonly devices: readonly FoundDevice[];
}

/** Ranges that fit beside one another. */
const SPANS: readonly Range[] = ['all', '30d', '7d', '24h'];
/** A key's longest name. */
const MOST_LETTERS = 128;

/** The records of each device as a file of its own, one after the other, or as a sheet of a workbook. */
export function ExportDevicesDialog({ project_id, devices }: ExportDevicesProps) {
  const [choices, setChoices] = useState(FIRST_CHOICES);
  const [range, setRange] = useState<Range>('all');
  const [keys, setKeys] = useState<readonly string[]>([]);
  const isCorrected = devices.some(({ corrected }) => corrected);
  const view = choices.view ?? 'corrected';
  const records = devices.reduce((sum, device) => sum + device.records, 0);
  // A sheet each, or a page of all.
  const isOneFile = FORMAT_NAMES[choices.format].styles.includes('also') && devices.length <= MOST_ALSO + 1;
  const known = new Set(devices.flatMap(({ values }) => values.map(({ key }) => key)));
  const submit = useSubmit(async () => {
    closeDialog();
    const last = spanOfRange(range);
    const now = nowMicros();
    // One span for all of them, however long it takes.
    const shown = {
      span: last === null ? null : { from: now - last, to: now },
      keys: keys.length === 0 ? null : keys,
    };
    const chosen = { ...choices, span: 'this', keys: 'shown' } as const;
    const [first, ...others] = devices;
    if (isOneFile && first) {
      const values = { ...chosen, view: isCorrected ? view : null };
      const also = others.length > 0 ? { also: others.map(({ id }) => id).join(',') } : {};
      const input = { ...inputOf({ project_id, device_id: first.id }, values, shown), ...also };
      startExport({
        project_id,
        device: first,
        about: countOf(devices.length, 'device'),
        input,
        estimate: null,
      });
      return;
    }
    forEachDevice({
      verb: 'Export',
      devices,
      done: `${countOf(devices.length, 'device')} exported`,
      async act({ id: device_id, corrected }, signal) {
        const values = { ...chosen, view: corrected ? view : null };
        const input = inputOf({ project_id, device_id }, values, shown);
        await saveExport(input, { estimate: null }, signal);
      },
    });
  });
  return (
    <FormDialog title={`Export ${countOf(devices.length, 'device')}`} action="Export" submit={submit}>
      <Choice
        label="Records"
        value={range}
        onChange={setRange}
        data={RANGES.filter(({ value }) => SPANS.includes(value)).map(({ value, label }) => ({
          value,
          label: value === 'all' ? 'Everything' : label,
        }))}
      />
      <TagsInput
        label="Keys"
        placeholder={keys.length === 0 ? 'All; or name those that are wanted' : ''}
        data={[...known]}
        value={[...keys]}
        maxDropdownHeight={180}
        onChange={(next) => setKeys(next.map((key) => key.slice(0, MOST_LETTERS)))}
      />
      {isCorrected && <ViewChoice view={view} onChange={(next) => setChoices({ ...choices, view: next })} />}
      <ExportFields choices={choices} onChange={setChoices} />
      {mayHandOver(devices.length) && (
        <May to="handover.get">
          <Text size="sm">
            For whoever has to be able to check them:{' '}
            <Anchor
              component="button"
              type="button"
              size="sm"
              onClick={() => openDialog({ kind: 'hand-over', project_id, devices })}
            >
              Hand over…
            </Anchor>
          </Text>
        </May>
      )}
      <Text size="sm" c="dimmed">
        {range === 'all' && keys.length === 0
          ? `${countOf(records, 'record')}, everything of each device,`
          : `${range === 'all' ? 'All time' : labelOfRange(range)} of each device`}{' '}
        {isOneFile ? 'in 1 file, a sheet each' : `in ${countOf(devices.length, 'file')}, one after the other`}
        . The jobs tray says how far it is.
      </Text>
    </FormDialog>
  );
}
