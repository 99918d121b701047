import { Autocomplete, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import { printFormula } from '#shared/domain/formula/print-formula.ts';
import { changed } from '../../../../chart/address.ts';
import { ask } from '../../../../bridge/ask.ts';
import { useCalled } from '../../../../components/corrections/use-called.ts';
import { errorOf } from '../../../../components/dialog/field-error.ts';
import { FormDialog } from '../../../../components/dialog/form-dialog.tsx';
import { SearchSelect } from '../../../../components/dialog/search-select.tsx';
import { ReasonField } from '../../../../components/dialog/reason-field.tsx';
import { useSubmit } from '../../../../components/dialog/use-submit.ts';
import { durationText, parseDuration } from '../../../../components/facts/duration-words.ts';
import { currentRoute, goTo } from '../../../../router.ts';
import { closeDialog } from '../../../../stores/dialog.ts';
import { keySettings, useKeySettings } from '../../../../stores/key-settings.ts';
import { editOfKey } from '../../../../stores/undo/edits.ts';
import { UNITS } from '../../../../components/facts/units.ts';
import { addCorrections, changeCorrection } from '../change-corrections.ts';
import type { Correcting } from '../fields/correcting.ts';
import { useDeviceKeys } from '../fields/use-device-keys.ts';
import { DerivedPreview } from './derived-preview.tsx';
import { formulaWords, readFormula, recordWords } from './formula-draft.ts';
import { formulaRows } from './formula-rows.ts';
import { useNewestRecords, type Newest } from './use-newest-records.ts';

const HINT = 'Keys, numbers, + − × ÷ and parentheses; min, max, abs, sqrt; mean(key, 10 min) over time.';
const AGE_RULE = 'A time such as 30 s or 10 min, of at most ten years, or nothing.';
const LONGEST_S = 315_360_000;
const MOST_OF_KEY = 128;
const MOST_OF_UNIT = 16;
const NO_KEYS: readonly string[] = [];

/** Makes a key that is computed of others, or changes one: its formula, in words, and beside it what comes of it. */
export function DeriveDialog({ project_id, device, zone, keys = NO_KEYS, correction }: Correcting) {
  const device_id = device.id;
  const of = { project_id, device_id };
  const settingsOf = useKeySettings(project_id);
  const called = useCalled(of, settingsOf, zone);
  const all = useDeviceKeys(project_id, device_id);
  const [key, setKey] = useState(correction?.key ?? '');
  const [text, setText] = useState(correction?.of ?? '');
  const [age, setAge] = useState(correction?.within_s ? durationText(correction.within_s) : '');
  const [unitTyped, setUnit] = useState<string | null>(null);
  const [reason, setReason] = useState(correction?.reason ?? '');
  const [tried, setTried] = useState(false);
  const [window] = useState(windowShown);
  const field = useRef<HTMLTextAreaElement>(null);
  const own = key.trim();
  // It may not ask for itself, as it was called either.
  const known = all.filter((each) => each !== correction?.key);
  const read = readFormula(text, known, own);
  const isRead = 'formula' in read;
  const within_s = age.trim() === '' ? 0 : parseDuration(age);
  const unit = unitTyped ?? settingsOf(device_id, own).unit;
  const newest = useNewestRecords(of, isRead ? read.keys : NO_KEYS, window);
  const printed = isRead ? printFormula(read.formula) : null;
  const rows = useRows(newest, printed, within_s ?? 0);
  const wrong = {
    key: keyProblem(own, known),
    of: isRead ? null : (read.problem ?? 'A formula is needed here, such as air - 0.5 * humidity.'),
    within_s: within_s === null || within_s > LONGEST_S ? AGE_RULE : null,
    unit: Array.from(unit.trim()).length > MOST_OF_UNIT ? `At most ${MOST_OF_UNIT} characters.` : null,
  };
  const submit = useSubmit(async () => {
    setTried(true);
    if (Object.values(wrong).some((problem) => problem !== null) || within_s === null) return;
    const why = reason.trim() === '' ? null : reason.trim();
    const fields = { key: own, of: text.trim(), within_s, reason: why };
    const words = { title: `${called.nameOf(own)} is computed`, message: `${own} = ${fields.of}` };
    const withUnit = async () => {
      const next = unit.trim();
      if (next === settingsOf(device_id, own).unit) return {};
      const { before } = await ask('key-settings.set', { ...of, key: own, unit: next });
      keySettings.reload();
      const edited =
        before && editOfKey(own, before, { ...settingsOf(device_id, own), unit: next }, device.name);
      return edited ? edited.edits : {};
    };
    if (correction) await changeCorrection(project_id, correction, fields, words, withUnit);
    else await addCorrections(of, [{ kind: 'derived', ...fields }], words, withUnit);
    showOnChart(keys, own);
    closeDialog();
  });
  const shown = (name: keyof typeof wrong) => (tried ? wrong[name] : null) ?? errorOf(submit.error, name);
  const insert = (chosen: string | null) => {
    if (chosen === null) return;
    const [from, to] = [
      field.current?.selectionStart ?? text.length,
      field.current?.selectionEnd ?? text.length,
    ];
    const word = printFormula({ kind: 'key', key: chosen });
    setText(`${text.slice(0, from)}${word}${text.slice(to)}`);
    field.current?.focus();
  };
  return (
    <FormDialog
      title={correction ? 'Change the computed key' : `A computed key of “${device.name}”`}
      action={correction ? 'Save' : 'Compute'}
      submit={submit}
      fields={['key', 'of', 'within_s', 'reason']}
      size="lg"
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label="Name of the new key"
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          error={shown('key')}
          autoComplete="off"
          spellCheck={false}
          data-autofocus={correction === undefined || undefined}
        />
        <Autocomplete
          label="Unit"
          placeholder="none"
          data={[...UNITS]}
          value={unit}
          onChange={setUnit}
          error={shown('unit')}
        />
      </SimpleGrid>
      <Textarea
        ref={field}
        label="Formula"
        description={HINT}
        placeholder="air - 0.5 * humidity"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={shown('of')}
        autosize
        minRows={1}
        maxRows={4}
        spellCheck={false}
        data-autofocus={correction !== undefined || undefined}
      />
      <div role="status" data-testid="formula-words">
        {isRead ? (
          <>
            <Text size="sm" dir="auto">
              {called.nameOf(own === '' ? 'Value' : own)} = {formulaWords(read.formula, called.nameOf)}
            </Text>
            <Text size="sm" c="dimmed">
              {recordWords(read.keys, within_s ?? 0, called.nameOf)}
            </Text>
          </>
        ) : (
          !tried && (
            <Text size="sm" c="dimmed">
              {read.problem ?? ' '}
            </Text>
          )
        )}
      </div>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <SearchSelect
          label="Insert a key"
          placeholder="Search the keys"
          data={known.map((value) => ({ value, label: called.nameOf(value) }))}
          value={null}
          onChange={insert}
          nothingFoundMessage="No key matches."
        />
        <TextInput
          label="Other keys may be this old"
          placeholder="of the same record alone"
          value={age}
          onChange={(event) => setAge(event.currentTarget.value)}
          error={shown('within_s')}
          autoComplete="off"
        />
      </SimpleGrid>
      {rows && isRead && (
        <DerivedPreview {...{ rows, unit, zone }} name={own} names={read.keys.map(called.nameOf)} />
      )}
      <ReasonField
        project_id={project_id}
        placeholder="dew point for the damp corner"
        value={reason}
        onChange={setReason}
        error={errorOf(submit.error, 'reason')}
      />
    </FormDialog>
  );
}

/** The newest records that have a value; null where the formula is of other keys than were read. */
function useRows(newest: Newest | null, printed: string | null, within_s: number) {
  return useMemo(() => rowsOf(newest, printed, within_s), [newest, printed, within_s]);
}

function rowsOf(newest: Newest | null, printed: string | null, within_s: number) {
  if (!newest || printed === null) return null;
  const { keys, view, isCut } = newest;
  const read = readFormula(printed, keys, '');
  return 'formula' in read
    ? formulaRows(view, { formula: read.formula, keys, within: within_s * 1e6 }, isCut)
    : null;
}

function keyProblem(key: string, known: readonly string[]): string | null {
  if (key === '' || Array.from(key).length > MOST_OF_KEY || key.includes(','))
    return `A name of 1 to ${MOST_OF_KEY} characters without a comma.`;
  return known.includes(key) ? `The device has a key “${key}” already.` : null;
}

/** The window that the chart is looked at through; null for all of it. */
function windowShown() {
  const now = currentRoute();
  return now.screen === 'device' ? (now.chart?.window ?? null) : null;
}

/** A key that was made from a chart is shown there, beside those that are. */
function showOnChart(keys: readonly string[], key: string): void {
  const now = currentRoute();
  if (now.screen !== 'device' || now.tab !== 'chart' || keys.length === 0 || keys.includes(key)) return;
  goTo({ ...now, chart: changed(now.chart, { keys: [...keys, key] }) });
}
