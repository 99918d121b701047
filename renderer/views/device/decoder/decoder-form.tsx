import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconFileCode } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { UPLINK } from '#shared/domain/decoder-names.ts';
import type { DeviceFunction } from '#shared/schema/schemas.ts';
import { useOffline } from '../../../bridge/connection.ts';
import { useMay } from '../../../bridge/distant.ts';
import { messageOf } from '../../../bridge/ask.ts';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { FileDrop } from '../../../components/screen/file-drop.tsx';
import { usePickFiles } from '../../../components/screen/use-pick-files.ts';
import { Problem } from '../../../components/work/problem.tsx';
import { keepDraft, useDraft, type DecoderDraft } from '../../../stores/decoder-drafts.ts';
import { decoderKey, failures } from '../../../stores/decoders.ts';
import { addDecoder, saveDecoder } from './change-decoders.ts';
import {
  conditionOf,
  draftOf,
  isSame,
  lineIn,
  LONGEST_NAME,
  nameOfFile,
  NO_DRAFT,
  problemsOf,
} from './decoder-draft.ts';
import classes from './decoder-panel.module.css';
import { firstError } from './difference-rows.ts';
import { FormFields } from './form-fields.tsx';
import { ScriptEditor, type ScriptEditorHandle } from './script-editor.tsx';
import { TryDecoder } from './try-decoder.tsx';
import { TryPayload } from './try-payload.tsx';
import { useQuestion, type Question } from './use-question.ts';
import { focusRefused } from '../../../components/dialog/focus-refused.ts';

interface DecoderFormProps {
  readonly project_id: string;
  readonly device_id: string;
  /** Null: a new one. */
  readonly decoder: DeviceFunction | null;
  readonly mayChange: boolean;
}

/** A decoder as it is written: its name, how the device sends, the script, and what that makes of what came. */
export function DecoderForm({ project_id, device_id, decoder, mayChange }: DecoderFormProps) {
  const place = decoder?.id ?? 'new';
  const saved = decoder ? draftOf(decoder) : NO_DRAFT;
  const written = useDraft(device_id, place);
  const setWritten = (next: DecoderDraft | null) => keepDraft(device_id, place, next);
  const draft = written ?? saved;
  const isChanged = written !== null && !isSame(written, saved);
  const [asked, setAsked] = useState<'save' | 'try' | null>(null);
  const [unread, setUnread] = useState<string | null>(null);
  const editor = useRef<ScriptEditorHandle>(null);
  const form = useRef<HTMLFormElement>(null);
  const save = useRef<HTMLButtonElement>(null);
  const hasSaved = useRef(false);
  const preview = useQuestion('functions.preview');
  const tried = useQuestion('functions.try');
  const offline = useOffline();
  const mayPreview = useMay('functions.preview');
  const mayType = useMay('functions.try');
  const counts = useCounts(decoder);

  const forget = () => {
    preview.clear();
    tried.clear();
  };
  const write = (part: Partial<DecoderDraft>) => {
    setWritten({ ...draft, ...part });
    setUnread(null);
    // What was found is of another script.
    if (part.script !== undefined || part.form !== undefined) forget();
  };
  const take = ([file]: readonly File[]) => {
    if (!file || !mayChange) return;
    file.text().then(
      (script) => write({ script, ...(draft.name.trim() === '' && { name: nameOfFile(file.name) }) }),
      (reason: unknown) => setUnread(`“${file.name}” cannot be read: ${messageOf(reason)}`),
    );
  };
  const pick = usePickFiles(take);
  const problems = problemsOf(draft);
  // A payload can be tried by what cannot be saved yet.
  const inTheWay = { save: problems, try: { ...problems, name: null, at: null } };
  const submit = useSubmit(async () => {
    if (decoder) await saveDecoder(decoder, draft, counts > 0);
    else await addDecoder(project_id, device_id, draft);
    setWritten(null);
    setAsked(null);
  });
  const { busy } = submit;
  // While it saves the button cannot be pressed, and so loses the focus.
  useEffect(() => {
    if (hasSaved.current && !busy && document.activeElement === document.body) save.current?.focus();
    hasSaved.current = busy;
  }, [busy]);
  const checked = (to: 'save' | 'try', act: () => void) => {
    if (Object.values(inTheWay[to]).every((problem) => problem === null)) return act();
    setAsked(to);
    setTimeout(() => focusRefused(form.current));
  };
  const onLine = (line: number) => editor.current?.goToLine(line);
  const fault = errorOf(tried) ?? (preview.found && firstError(preview.found));
  const shown = asked && inTheWay[asked];
  // It keeps the focus once it has saved.
  const isIdle = offline || (decoder !== null && !isChanged);
  return (
    <div className={classes['parts']} data-try={mayType || (mayPreview && decoder !== null) || undefined}>
      {mayChange && (
        <FileDrop
          words={decoder ? `Drop to replace the script of ${decoder.name}` : 'Drop the decoder’s script'}
          note="JavaScript with decodeUplink(input). Nothing is saved yet."
          label="Script of a decoder"
          onFiles={take}
        />
      )}
      <Paper withBorder p="md" component="section" aria-labelledby="decoder-what">
        <form
          ref={form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!isIdle) checked('save', submit.run);
          }}
        >
          <Stack gap="sm">
            <Title order={2} size="h5" id="decoder-what">
              {decoder ? 'Decoder' : 'This device sends bytes?'}
            </Title>
            {!decoder && (
              <Text size="sm" c="dimmed">
                A decoder makes values of them: a script of the sensor’s maker (LoRaWAN TS013,{' '}
                <span className="mono">decodeUplink</span>), as it is. Paste it, or drop its file anywhere
                here. What comes is kept with its bytes, whatever the script does.
              </Text>
            )}
            <div className={classes['fields']} data-json={draft.form.payload === 'json' || undefined}>
              <TextInput
                label="Name"
                placeholder="Door sensor"
                value={draft.name}
                maxLength={LONGEST_NAME}
                disabled={!mayChange}
                onChange={({ currentTarget }) => write({ name: currentTarget.value })}
                error={shown?.name}
                autoComplete="off"
              />
              <FormFields
                form={draft.form}
                onChange={(next) => write({ form: next })}
                problems={shown}
                disabled={!mayChange}
              />
            </div>
            <ScriptEditor
              ref={editor}
              value={draft.script}
              onChange={(script) => write({ script })}
              error={shown?.script ?? null}
              marked={fault === null ? null : lineIn(fault)}
              readOnly={!mayChange}
              action={
                mayChange && (
                  <Button size="xs" variant="default" leftSection={<IconFileCode size={16} />} onClick={pick}>
                    Script from a file…
                  </Button>
                )
              }
            />
            {unread !== null && <Problem message={unread} />}
            {submit.error !== null && <Problem message={submit.error} />}
            {mayChange && (
              <Group gap="xs" justify="flex-end">
                {isChanged && (
                  <Button
                    variant="subtle"
                    onClick={() => {
                      setWritten(null);
                      setAsked(null);
                      forget();
                    }}
                  >
                    Discard changes
                  </Button>
                )}
                <Button
                  type="submit"
                  ref={save}
                  loading={submit.busy}
                  data-disabled={isIdle || undefined}
                  aria-disabled={isIdle}
                >
                  {decoder ? 'Save' : 'Save and switch on'}
                </Button>
              </Group>
            )}
          </Stack>
        </form>
      </Paper>
      <div className={classes['tries']}>
        {decoder && mayPreview && (
          <Paper withBorder p="md" component="section" aria-labelledby="decoder-try">
            <TryDecoder
              preview={preview}
              onLine={onLine}
              onTry={() =>
                checked('save', () =>
                  preview.run({
                    project_id,
                    function_id: decoder.id,
                    script: draft.script,
                    condition: conditionOf(draft.form),
                  }),
                )
              }
            />
          </Paper>
        )}
        {mayType && (
          <Paper withBorder p="md" component="section" aria-labelledby="decoder-payload">
            <TryPayload
              tried={tried}
              usualPort={draft.form.port.trim() || '1'}
              onLine={onLine}
              onTry={(payload) =>
                checked('try', () =>
                  tried.run({
                    project_id,
                    device_id,
                    script: draft.script,
                    ...(problems.at === null && { condition: conditionOf(draft.form) }),
                    ...payload,
                  }),
                )
              }
            />
          </Paper>
        )}
      </div>
    </div>
  );
}

/** Why a payload that was tried is not decoded; null where it is, and where none was tried. */
function errorOf({ found }: Question<'functions.try'>): string | null {
  const error = found?.record[UPLINK.error];
  return typeof error === 'string' ? error : null;
}

/** How many payloads came, as far as it is known. */
function useCounts(decoder: DeviceFunction | null): number {
  const { value } = failures.useValue(decoder ? decoderKey(decoder) : '//');
  return value?.payloads ?? 0;
}
