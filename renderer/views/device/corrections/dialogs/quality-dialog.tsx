import { Input, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import type { Quality } from '#shared/domain/corrections.ts';
import type { GivenCorrection } from '#shared/operations/metadata/corrections.ts';
import { formatMicros, parseInstant } from '#shared/values/time.ts';
import { QUALITY_WORDS } from '../../../../components/corrections/correction-words.ts';
import { useCalled } from '../../../../components/corrections/use-called.ts';
import { errorOf } from '../../../../components/dialog/field-error.ts';
import { FormDialog } from '../../../../components/dialog/form-dialog.tsx';
import { SearchSelect } from '../../../../components/dialog/search-select.tsx';
import { ReasonField, submitByEnter } from '../../../../components/dialog/reason-field.tsx';
import { useSubmit } from '../../../../components/dialog/use-submit.ts';
import { spanText } from '../../../../components/facts/span-words.ts';
import { countOf } from '../../../../format.ts';
import { useCorrections } from '../../../../stores/corrections.ts';
import { closeDialog } from '../../../../stores/dialog.ts';
import { useKeySettings } from '../../../../stores/key-settings.ts';
import type { Correcting } from '../fields/correcting.ts';
import { addCorrections, changeCorrection } from '../change-corrections.ts';
import { FormerNote } from '../fields/former-note.tsx';
import { SeveralSpans, SpanFields } from '../fields/span-fields.tsx';
import { spanProblems } from '../fields/span-problems.ts';
import { useDeviceKeys } from '../fields/use-device-keys.ts';
import { useTimeEntry } from '../fields/use-time-entry.ts';

const QUALITIES = ['fail', 'suspect', 'test', 'pass'] as const;
/** What a mark does, in the order of those who choose one. */
const ABOUT: Readonly<Record<Quality, string>> = {
  fail: 'Not measured right: left out of curves, figures, exports and reports. What was stored stays.',
  suspect: 'Perhaps not right: drawn and counted as before, and marked.',
  test: 'Not of the subject, such as a sensor in a calibrator: left out as bad values are.',
  pass: 'Good after all: takes back what was marked here before.',
};
const LABELS = QUALITIES.map((value) => {
  const word = QUALITY_WORDS[value];
  return { value, label: `${word[0]?.toUpperCase()}${word.slice(1)}` };
});

/** Which keys a mark is of. */
type Keys = 'one' | 'these' | 'all';

/** Marks the records of a span as bad, suspect, a test, or good again; or changes such a mark. */
export function QualityDialog({ project_id, device, zone, spans, keys = [], correction }: Correcting) {
  const device_id = device.id;
  const settingsOf = useKeySettings(project_id);
  const called = useCalled({ project_id, device_id }, settingsOf, zone);
  const all = useDeviceKeys(project_id, device_id);
  const these = correction ? (correction.keys ?? []) : keys;
  const [quality, setQuality] = useState<Quality>(correction?.quality ?? 'fail');
  const [whose, setWhose] = useState<Keys>(these.length === 0 ? 'all' : these.length === 1 ? 'one' : 'these');
  const [key, setKey] = useState<string | null>(these[0] ?? null);
  const [reason, setReason] = useState(correction?.reason ?? '');
  const [tried, setTried] = useState(false);
  const several = spans.length > 1;
  const [first] = spans;
  const from = useTimeEntry(first?.from ?? parseInstant(correction?.from ?? ''), zone, 'from');
  const to = useTimeEntry(first?.to ?? parseInstant(correction?.to ?? ''), zone, 'to');
  const isStored = useCorrections(project_id, device_id).list.some(({ kind }) => kind === 'time');
  const wrong = {
    ...(several ? { from: null, to: null } : spanProblems(from, to)),
    keys: whose === 'one' && key === null ? 'Choose a key.' : null,
    reason: reason.trim() === '' ? 'Why, in 1 to 500 characters: “door open”.' : null,
  };
  const submit = useSubmit(async () => {
    setTried(true);
    if (Object.values(wrong).some((problem) => problem !== null)) return;
    const marked = several ? spans : [{ from: from.at ?? 0, to: to.at ?? 0 }];
    const said = {
      quality,
      keys: whose === 'all' ? null : whose === 'one' && key !== null ? [key] : [...these],
      reason: reason.trim(),
    };
    const words = {
      title: `Marked as ${QUALITY_WORDS[quality]}`,
      message: marked.map((span) => spanText(span.from, span.to, zone)).join('; '),
    };
    const given = marked.map((span): GivenCorrection => {
      return { kind: 'quality', ...said, from: formatMicros(span.from), to: formatMicros(span.to) };
    });
    const [changed] = given;
    if (correction && changed) await changeCorrection(project_id, correction, changed, words);
    else await addCorrections({ project_id, device_id }, given, words);
    closeDialog();
  });
  const shown = (field: keyof typeof wrong) => (tried ? wrong[field] : null) ?? errorOf(submit.error, field);
  const choices: { readonly value: Keys; readonly label: string }[] = [{ value: 'one', label: 'One key' }];
  if (these.length > 1)
    choices.push({ value: 'these', label: correction ? `These ${these.length}` : `Shown (${these.length})` });
  choices.push({ value: 'all', label: 'All keys' });
  return (
    <FormDialog
      title={correction ? 'Change the quality' : `Quality of a span of “${device.name}”`}
      action={correction ? 'Save' : 'Mark'}
      submit={submit}
      fields={['reason', 'from', 'to', 'keys', 'quality']}
      size="lg"
    >
      <Input.Wrapper
        label="Mark as"
        labelElement="div"
        description={ABOUT[quality]}
        error={errorOf(submit.error, 'quality')}
      >
        <SegmentedControl
          fullWidth
          mt={4}
          aria-label="Mark as"
          value={quality}
          onChange={setQuality}
          data={LABELS}
        />
      </Input.Wrapper>
      {several ? (
        <SeveralSpans spans={spans} zone={zone} />
      ) : (
        <SpanFields {...{ from, to, isStored }} errors={{ from: shown('from'), to: shown('to') }} />
      )}
      <Input.Wrapper label="Keys" labelElement="div" error={whose === 'one' ? null : shown('keys')}>
        <SegmentedControl
          fullWidth
          mt={4}
          aria-label="Keys"
          value={whose}
          onChange={setWhose}
          data={choices}
        />
      </Input.Wrapper>
      {whose === 'one' && (
        <SearchSelect
          aria-label="Key"
          placeholder="Choose a key"
          data={all.map((value) => ({ value, label: called.nameOf(value) }))}
          value={key}
          onChange={setKey}
          allowDeselect={false}
          error={shown('keys')}
          nothingFoundMessage="No key matches."
        />
      )}
      {whose === 'these' && (
        <Text size="sm" c="dimmed" lineClamp={2}>
          {these.map(called.nameOf).join(', ')} ({countOf(these.length, 'key')})
        </Text>
      )}
      <ReasonField
        project_id={project_id}
        value={reason}
        onChange={setReason}
        onKeyDown={submitByEnter}
        error={shown('reason')}
        isFocused
      />
      {spans.length > 0 && <FormerNote {...{ project_id, device_id, spans, called }} />}
    </FormDialog>
  );
}
