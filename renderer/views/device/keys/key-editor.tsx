import {
  ActionIcon,
  Autocomplete,
  Button,
  Checkbox,
  CloseButton,
  Input,
  SegmentedControl,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { KeyFacts } from '#shared/operations/records/key-facts.ts';
import { KEY_AXES, KEY_DASHES } from '#shared/domain/key-looks.ts';
import { NO_SETTINGS } from '#shared/operations/metadata/key-defaults.ts';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { ask } from '../../../bridge/ask.ts';
import { useOffline } from '../../../bridge/connection.ts';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { May } from '../../../components/work/may.tsx';
import { OfflineNotice } from '../../../components/work/offline-notice.tsx';
import { addEdited } from '../../../components/work/undo-edits.ts';
import { Problem } from '../../../components/work/problem.tsx';
import { countOf } from '../../../format.ts';
import { hrefTo } from '../../../router.ts';
import { deviceDetail, deviceKey } from '../../../stores/devices.ts';
import { editOfKey } from '../../../stores/undo/edits.ts';
import { keySettings } from '../../../stores/key-settings.ts';
import { ApplyToAll } from './apply-to-all.tsx';
import { draftOf, keepDraft, settingsOf, unsavedDraft, type DraftField, type KeyDraft } from './key-draft.ts';
import { ColourField } from './colour-field.tsx';
import classes from './keys-panel.module.css';
import { UNITS } from '../../../components/facts/units.ts';

interface KeyEditorProps {
  readonly project_id: string;
  readonly device_id: string;
  readonly facts: KeyFacts;
  readonly settings: KeySettings;
  readonly onClose: () => void;
}

const AUTOMATIC = 'automatic';
const NOT_SAVED = 'Not saved yet.';

/** Editor of one key's settings, beside the list of all: fields, their errors, and for how many devices they count. */
export function KeyEditor({ project_id, device_id, facts: { key }, settings, onClose }: KeyEditorProps) {
  const [draft, setDraft] = useState<KeyDraft>(() => unsavedDraft(device_id, key) ?? draftOf(settings));
  const [forAll, setForAll] = useState(false);
  const [tried, setTried] = useState(false);
  const [saved, setSaved] = useState(() => (unsavedDraft(device_id, key) ? NOT_SAVED : ''));
  const offline = useOffline();
  const name = deviceDetail.useValue(deviceKey(project_id, device_id)).value?.device.name ?? '';
  const title = useId();
  const read = settingsOf(draft);
  const problems = tried && 'problems' in read ? read.problems : {};
  const submit = useSubmit(async () => {
    if (!('settings' in read)) return;
    const apply_to = forAll ? 'project' : 'device';
    const { changed, before } = await ask('key-settings.set', {
      project_id,
      device_id,
      key,
      ...read.settings,
      apply_to,
    });
    keySettings.reload();
    keepDraft(device_id, key, null);
    if (before) addEdited(project_id, editOfKey(key, before, read.settings, name));
    // As it was read: a gap of "50" is one of 50 s.
    setDraft(draftOf(read.settings));
    setSaved(forAll ? `Saved for ${countOf(changed, 'device')}.` : 'Saved for this device.');
  });
  // What was undone, or changed elsewhere, is what stands here, unless something else is being typed.
  const [seen, setSeen] = useState(settings);
  if (JSON.stringify(seen) !== JSON.stringify(settings)) {
    setSeen(settings);
    const now = draftOf(settings);
    if (unsavedDraft(device_id, key) === null && JSON.stringify(now) !== JSON.stringify(draft)) {
      setDraft(now);
      setSaved('');
    }
  }
  // While it saves, the button that had the focus cannot have it.
  const focused = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!submit.busy && document.activeElement === document.body) focused.current?.focus();
  }, [submit.busy]);
  const set = (more: Partial<KeyDraft>) => {
    const next = { ...draft, ...more };
    keepDraft(device_id, key, next);
    setSaved(NOT_SAVED);
    setDraft(next);
  };
  const close = () => {
    keepDraft(device_id, key, null);
    onClose();
  };
  const text = (field: DraftField) => ({
    value: String(draft[field] ?? ''),
    error: problems[field],
    size: 'sm' as const,
    autoComplete: 'off',
    spellCheck: false,
  });

  return (
    <section
      aria-labelledby={title}
      className={classes['editor']}
      onKeyDown={(event: KeyboardEvent) => {
        // An open list of suggestions is what closes first.
        const isListOpen = (event.target as Element).getAttribute('aria-expanded') === 'true';
        if (event.key === 'Escape' && !isListOpen) close();
      }}
    >
      <div className={classes['title']}>
        <h2 id={title} className="mono">
          {key}
        </h2>
        <May to="audit.list">
          <Tooltip label="Who changed what of this key">
            <ActionIcon
              component="a"
              href={hrefTo({ screen: 'service', part: 'audit', device: device_id, dataKey: key })}
              variant="subtle"
              color="gray"
              aria-label={`History of ${key}`}
              ml="auto"
            >
              <IconHistory size={16} />
            </ActionIcon>
          </Tooltip>
        </May>
        <CloseButton aria-label="Close the settings" onClick={close} />
      </div>
      <form
        noValidate
        className={classes['form']}
        onFocus={({ target }) => (focused.current = target)}
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if ('settings' in read && !offline) submit.run();
        }}
      >
        <div className={classes['fields']}>
          <TextInput
            label="Shown as"
            placeholder={key}
            {...text('shown_as')}
            onChange={(event) => set({ shown_as: event.currentTarget.value })}
            data-autofocus
            autoFocus
          />
          <div className={classes['pair']}>
            <Autocomplete
              label="Unit"
              placeholder="none"
              data={UNITS}
              {...text('unit')}
              onChange={(unit) => set({ unit })}
              comboboxProps={{ shadow: 'md' }}
            />
            <TextInput
              label="Decimals"
              placeholder="as they are"
              inputMode="numeric"
              {...text('decimals')}
              onChange={(event) => set({ decimals: event.currentTarget.value })}
            />
          </div>
          <div className={classes['pair']}>
            <TextInput
              label="Normal from"
              placeholder="open"
              inputMode="decimal"
              {...text('low')}
              onChange={(event) => set({ low: event.currentTarget.value })}
            />
            <TextInput
              label="Normal up to"
              placeholder="open"
              inputMode="decimal"
              {...text('high')}
              onChange={(event) => set({ high: event.currentTarget.value })}
            />
          </div>
          <TextInput
            label="Longest gap"
            description="A longer silence breaks the line."
            placeholder="automatic, or such as 50 min"
            {...text('gap')}
            onChange={(event) => set({ gap: event.currentTarget.value })}
          />
          <ColourField value={draft.colour} onChange={(colour) => set({ colour })} />
          <Choice label="Line">
            <SegmentedControl
              size="xs"
              fullWidth
              value={draft.dash ?? AUTOMATIC}
              onChange={(value) => set({ dash: KEY_DASHES.find((dash) => dash === value) ?? null })}
              data={withAutomatic(KEY_DASHES)}
            />
          </Choice>
          <Choice label="Axis">
            <SegmentedControl
              size="xs"
              fullWidth
              value={draft.axis ?? AUTOMATIC}
              onChange={(value) => set({ axis: KEY_AXES.find((axis) => axis === value) ?? null })}
              data={withAutomatic(KEY_AXES)}
            />
          </Choice>
          <Checkbox
            label="Apply to all devices of the project that have this key"
            size="sm"
            checked={forAll}
            onChange={(event) => setForAll(event.currentTarget.checked)}
          />
          {forAll && <ApplyToAll project_id={project_id} device_id={device_id} dataKey={key} />}
          <OfflineNotice />
          {submit.error !== null && <Problem message={submit.error} />}
        </div>
        <div className={classes['foot']}>
          <div className={classes['saved']} role="status">
            {saved}
          </div>
          <Button variant="subtle" size="sm" onClick={() => set(draftOf(NO_SETTINGS))}>
            Reset
          </Button>
          <Button variant="default" size="sm" onClick={close}>
            Close
          </Button>
          <Button type="submit" size="sm" loading={submit.busy} disabled={offline}>
            Save
          </Button>
        </div>
      </form>
    </section>
  );
}

function Choice({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Input.Wrapper label={label} labelElement="div" role="group" aria-label={label}>
      {children}
    </Input.Wrapper>
  );
}

function withAutomatic(values: readonly string[]) {
  const named = values.map((value) => ({ value, label: `${value[0]?.toUpperCase()}${value.slice(1)}` }));
  return [{ value: AUTOMATIC, label: 'Automatic' }, ...named];
}
