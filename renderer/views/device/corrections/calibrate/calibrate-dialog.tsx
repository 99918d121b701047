import { SegmentedControl, SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { GivenCorrection } from '#shared/operations/metadata/corrections.ts';
import { formatMicros, parseInstant } from '#shared/values/time.ts';
import { correctionWords } from '../../../../components/corrections/correction-words.ts';
import { useCalled } from '../../../../components/corrections/use-called.ts';
import { errorOf } from '../../../../components/dialog/field-error.ts';
import { FormDialog } from '../../../../components/dialog/form-dialog.tsx';
import { SearchSelect } from '../../../../components/dialog/search-select.tsx';
import { ReasonField } from '../../../../components/dialog/reason-field.tsx';
import { useSubmit } from '../../../../components/dialog/use-submit.ts';
import { readNumber } from '../../../../read-number.ts';
import { currentRoute } from '../../../../router.ts';
import { useCorrections } from '../../../../stores/corrections.ts';
import { closeDialog } from '../../../../stores/dialog.ts';
import { useKeySettings } from '../../../../stores/key-settings.ts';
import { draftOf, pointsOf, type Way } from './calibration-draft.ts';
import { CalibrationFields, type Moments } from './calibration-fields.tsx';
import { CalibrationPreview } from './calibration-preview.tsx';
import type { Correcting } from '../fields/correcting.ts';
import { addCorrections, changeCorrection } from '../change-corrections.ts';
import { FormerNote } from '../fields/former-note.tsx';
import { SpanFields } from '../fields/span-fields.tsx';
import { spanProblems } from '../fields/span-problems.ts';
import { useDeviceKeys } from '../fields/use-device-keys.ts';
import { useRawCurve, useReadingAt } from './use-raw-curve.ts';
import { useTimeEntry } from '../fields/use-time-entry.ts';

const WAYS: readonly { readonly value: Way; readonly label: string }[] = [
  { value: 'one', label: 'One known value' },
  { value: 'two', label: 'Two moments' },
  { value: 'table', label: 'Certificate' },
  { value: 'line', label: 'Gain, offset' },
];
const FIELDS = ['key', 'points', 'from', 'to', 'certificate', 'uncertainty', 'by', 'reason'];

/** Calibrates a key: by what was known of it, from when on, with its curve before it is saved. */
export function CalibrateDialog({ project_id, device, zone, spans, keys = [], correction }: Correcting) {
  const device_id = device.id;
  const of = { project_id, device_id };
  const settingsOf = useKeySettings(project_id);
  const called = useCalled(of, settingsOf, zone);
  const all = useDeviceKeys(project_id, device_id);
  const [draft, setDraft] = useState(() => draftOf(correction?.points));
  const [key, setKey] = useState<string | null>(correction?.key ?? keys[0] ?? null);
  const [facts, setFacts] = useState({
    certificate: correction?.certificate ?? '',
    uncertainty: correction?.uncertainty === undefined ? '' : String(correction.uncertainty),
    by: correction?.calibrated_by ?? '',
    reason: correction?.reason ?? '',
  });
  const [tried, setTried] = useState(false);
  const [first, last] = [spans[0], spans.at(-1)];
  const from = useTimeEntry(first?.from ?? parseInstant(correction?.from ?? ''), zone, 'from');
  const to = useTimeEntry(parseInstant(correction?.to ?? ''), zone, 'to');
  const moments = [
    useTimeEntry(first?.from ?? null, zone, 'from'),
    useTimeEntry(last?.to ?? null, zone, 'from'),
  ] as const;
  const readings = [useReadingAt(of, key, moments[0].at), useReadingAt(of, key, moments[1].at)] as const;
  const isStored = useCorrections(project_id, device_id).list.some(({ kind }) => kind === 'time');
  const [window] = useState(windowShown);
  const series = useRawCurve(of, key, window);
  const unit = key === null ? '' : called.unitOf(key);
  const read = pointsOf(draft, readings);
  const points = 'points' in read ? read.points : null;
  const uncertainty = facts.uncertainty.trim() === '' ? null : readNumber(facts.uncertainty);
  const wrong: Readonly<Record<string, string | null>> = {
    key: key === null ? 'Choose a key.' : null,
    uncertainty: uncertainty && 'problem' in uncertainty ? uncertainty.problem : null,
    ...spanProblems(from, to, true),
  };
  const submit = useSubmit(async () => {
    setTried(true);
    if (points === null || key === null || Object.values(wrong).some((problem) => problem !== null)) return;
    const textOf = (text: string) => (text.trim() === '' ? null : text.trim());
    const fields = {
      points: 'gain' in points ? points : points.map(([raw, value]): [number, number] => [raw, value]),
      from: from.at === null ? null : formatMicros(from.at),
      to: to.at === null ? null : formatMicros(to.at),
      certificate: textOf(facts.certificate),
      uncertainty: uncertainty && 'number' in uncertainty ? uncertainty.number : null,
      by: textOf(facts.by),
      reason: textOf(facts.reason),
    };
    const words = {
      title: `${called.nameOf(key)} calibrated`,
      message: correctionWords({ kind: 'calibration', key, points: fields.points }, called),
    };
    const given: GivenCorrection = { kind: 'calibration', key, ...fields };
    if (correction) await changeCorrection(project_id, correction, { key, ...fields }, words);
    else await addCorrections(of, [given], words);
    closeDialog();
  });
  const shown = (field: string) => (tried ? wrong[field] : null) ?? errorOf(submit.error, field);
  const text = (field: keyof typeof facts, label: string, most: number) => (
    <TextInput
      label={label}
      value={facts[field]}
      onChange={(event) => setFacts({ ...facts, [field]: event.currentTarget.value })}
      error={shown(field)}
      maxLength={most}
      autoComplete="off"
    />
  );
  return (
    <FormDialog
      title={correction ? 'Change the calibration' : `Calibrate “${device.name}”`}
      action={correction ? 'Save' : 'Calibrate'}
      submit={submit}
      fields={FIELDS}
      size="lg"
    >
      <SearchSelect
        label="Key"
        data={all.map((value) => ({ value, label: called.nameOf(value) }))}
        value={key}
        onChange={setKey}
        allowDeselect={false}
        error={shown('key')}
        nothingFoundMessage="No key matches."
      />
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="Known by"
        value={draft.way}
        onChange={(way) => setDraft({ ...draft, way })}
        data={[...WAYS]}
      />
      <CalibrationFields
        draft={draft}
        onChange={setDraft}
        unit={unit}
        isStored={isStored}
        moments={
          [
            { entry: moments[0], reading: readings[0] },
            { entry: moments[1], reading: readings[1] },
          ] satisfies Moments
        }
        problems={tried && 'problems' in read ? read.problems : {}}
        refused={errorOf(submit.error, 'points')}
      />
      <CalibrationPreview {...{ series, points, unit }} from={from.at} to={to.at} />
      <SpanFields
        {...{ from, to, isStored }}
        empty={{ from: 'the first record', to: 'on and on' }}
        errors={{ from: shown('from'), to: shown('to') }}
      />
      {draft.way === 'table' && (
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
          {text('certificate', 'Certificate', 100)}
          {text('uncertainty', unit === '' ? 'Uncertainty' : `Uncertainty (${unit})`, 30)}
          {text('by', 'Calibrated by', 100)}
        </SimpleGrid>
      )}
      <ReasonField
        project_id={project_id}
        placeholder="yearly calibration"
        value={facts.reason}
        onChange={(reason) => setFacts({ ...facts, reason })}
        error={shown('reason')}
      />
      {spans.length > 0 && <FormerNote {...of} {...{ spans, called }} />}
    </FormDialog>
  );
}

/** The window that the chart is looked at through; null for all of it. */
function windowShown() {
  const now = currentRoute();
  return now.screen === 'device' ? (now.chart?.window ?? null) : null;
}
