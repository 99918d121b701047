import { ActionIcon, Button, Group, Text, UnstyledButton } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCheck,
  IconFile,
  IconFileImport,
  IconHelpCircle,
  IconLoader2,
  IconX,
} from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useOffline } from '../../bridge/connection.ts';
import { Empty } from '../../components/screen/empty.tsx';
import { FileDrop } from '../../components/screen/file-drop.tsx';
import { Screen } from '../../components/screen/screen.tsx';
import { usePickFiles } from '../../components/screen/use-pick-files.ts';
import { OfflineNotice } from '../../components/work/offline-notice.tsx';
import { countOf, formatBytes } from '../../format.ts';
import { addFiles, layoutOf, removeItem, useItemsOf, type FileItem } from '../../import/file-items.ts';
import { doneWords, fileStateOf, fileStateWords } from '../../import/file-state.ts';
import { isReady, runImports } from '../../import/run-imports.ts';
import { goTo } from '../../router.ts';
import { devices } from '../../stores/devices.ts';
import { devicesOf } from '../../stores/found-devices.ts';
import { takePicked, usePicked } from '../../stores/picked-files.ts';
import { FilePanel } from './file-panel.tsx';
import classes from './import-screen.module.css';

/** Files on their way into devices of a project: left all of them, right the one that is looked at. */
export function ImportScreen({ project_id }: { readonly project_id: string }) {
  const of = devicesOf(project_id);
  devices.useWatch(of);
  const known = devices.useValue(of).value ?? [];
  const items = useItemsOf(project_id);
  const [chosen, setChosen] = useState<number | null>(null);
  const add = (files: readonly File[]) => addFiles(project_id, files, null);
  const choose = usePickFiles(add);
  const importButton = useRef<HTMLButtonElement>(null);
  const doneButton = useRef<HTMLButtonElement>(null);
  const offline = useOffline();
  const picked = usePicked((state) => state.picked);
  useEffect(() => {
    if (picked?.project_id !== project_id) return;
    takePicked();
    addFiles(project_id, picked.files, picked.device_id);
  }, [project_id, picked]);

  const shown = items.find(({ id }) => id === chosen) ?? items[0];
  const ready = items.filter(isReady);
  const looking = items.some(({ state }) => state.name === 'inspecting');
  // Once all files were looked at, what most want next is at hand.
  useEffect(() => {
    const button = importButton.current;
    if (!looking && button?.disabled === false) button.focus({ preventScroll: true });
  }, [looking]);

  const failed = items.find(({ state }) => state.name === 'choosing' && state.problem !== null)?.id;
  const isBusy = items.some(({ state }) => state.name === 'importing');
  const [told, setTold] = useState<number | undefined>(undefined);
  // What went wrong is what is looked at next.
  if (!isBusy && failed !== told) {
    setTold(failed);
    if (failed !== undefined) setChosen(failed);
  }
  // While it imports, the button that had the focus cannot have it.
  useEffect(() => {
    if (isBusy || document.activeElement !== document.body) return;
    const button = importButton.current?.disabled === false ? importButton : doneButton;
    button.current?.focus({ preventScroll: true });
  }, [isBusy]);

  const nameOf = ({ target }: FileItem) =>
    target.kind === 'new' ? target.name : (known.find(({ id }) => id === target.device_id)?.name ?? 'device');
  const leave = () => {
    for (const { id, state } of items) if (state.name !== 'importing') removeItem(project_id, id);
    const [only, ...others] = new Set(items.map(deviceOf));
    if (only && others.length === 0) goTo({ screen: 'device', project_id, device_id: only, tab: 'chart' });
    else goTo({ screen: 'devices', project_id });
  };
  const pick = (
    <Button
      variant={items.length === 0 ? 'filled' : 'default'}
      leftSection={<IconFileImport size={16} />}
      onClick={choose}
    >
      {items.length === 0 ? 'Choose files…' : 'Add files…'}
    </Button>
  );
  return (
    <Screen
      title="Import files"
      description={items.length > 0 && progressOf(items, ready.length > 0 || looking)}
      actions={items.length > 0 && pick}
    >
      <FileDrop words="Drop to add to the list" onFiles={add} />
      {!shown ? (
        <Empty icon={IconFileImport} title="No files yet" action={pick}>
          Drop recordings anywhere, or choose them. CSV and NDJSON, any number at once: each becomes a new
          device, or goes into one that you choose.
        </Empty>
      ) : (
        <>
          <div className={classes['body']}>
            <nav className={classes['files']} aria-label="Files">
              {items.map((item) => (
                <FileRow
                  key={item.id}
                  item={item}
                  target={nameOf(item)}
                  isShown={item.id === shown.id}
                  onShow={() => setChosen(item.id)}
                  onRemove={() => removeItem(project_id, item.id)}
                />
              ))}
            </nav>
            <section className={classes['panel']} aria-label={shown.file.name}>
              <FilePanel
                key={shown.id}
                project_id={project_id}
                item={shown}
                devices={known}
                alike={alikeOf(shown, items)}
              />
            </section>
          </div>
          <Group justify="flex-end" gap="sm" className={classes['foot'] ?? ''}>
            <OfflineNotice />
            <Button ref={doneButton} variant="default" onClick={leave}>
              {ready.length > 0 || looking ? 'Cancel' : 'Done'}
            </Button>
            <Button
              ref={importButton}
              disabled={ready.length === 0 || offline}
              onClick={() => runImports(project_id, ready, nameOf)}
            >
              Import {ready.length > 0 ? countOf(ready.length, 'file') : 'files'}
            </Button>
          </Group>
        </>
      )}
    </Screen>
  );
}

/** The device of a file, as far as there is one yet. */
function deviceOf({ state, target }: FileItem): string | null {
  if (state.name === 'done') return state.device_id;
  return target.kind === 'device' ? target.device_id : null;
}

/** What may be relied on while there is something to import, and afterwards. */
function progressOf(items: readonly FileItem[], isBefore: boolean): string {
  if (isBefore) return 'Nothing is stored before you press Import.';
  const done = items.filter(({ state }) => state.name === 'done');
  return `${done.length} of ${countOf(items.length, 'file')} imported.`;
}

function alikeOf(item: FileItem, items: readonly FileItem[]): number {
  const layout = layoutOf(item);
  const isAlike = (other: FileItem) =>
    other.id !== item.id && other.state.name === 'choosing' && layoutOf(other) === layout;
  return layout === null ? 0 : items.filter(isAlike).length;
}

const LOOKS = {
  inspecting: { icon: IconLoader2, words: 'Looking at it', color: 'dimmed' },
  importing: { icon: IconLoader2, words: 'Importing', color: 'petrol' },
} as const;

const STATE_LOOKS = {
  ready: { icon: IconFile, color: 'dimmed' },
  'rows-left-out': { icon: IconAlertTriangle, color: 'var(--mantine-color-text)' },
  'needs-choice': { icon: IconHelpCircle, color: 'danger' },
  'cannot-import': { icon: IconAlertTriangle, color: 'danger' },
} as const;

/** How a file stands, in a word, with its sign. */
function lookOf(item: FileItem) {
  const { state } = item;
  if (state.name === 'done')
    return { icon: IconCheck, words: doneWords(state.result), color: 'var(--mantine-color-text)' };
  if (state.name !== 'choosing' && state.name !== 'unreadable') return LOOKS[state.name];
  if (state.name === 'choosing' && state.problem !== null)
    return { icon: IconAlertTriangle, words: 'Not imported', color: 'danger' };
  const own = fileStateOf(item);
  const words = fileStateWords(own);
  if (own.name === 'ready' && own.guesses > 0)
    return { icon: IconHelpCircle, words, color: 'var(--mantine-color-text)' };
  return { ...STATE_LOOKS[own.name], words };
}

interface FileRowProps {
  readonly item: FileItem;
  readonly target: string;
  readonly isShown: boolean;
  readonly onShow: () => void;
  readonly onRemove: () => void;
}

function FileRow({ item, target, isShown, onShow, onRemove }: FileRowProps) {
  const { file, state } = item;
  const { icon: Icon, words, color } = lookOf(item);
  return (
    <Group gap={2} wrap="nowrap" align="start">
      <UnstyledButton className={classes['file'] ?? ''} aria-pressed={isShown} onClick={onShow}>
        <Text size="sm" fw={500} truncate title={file.name}>
          {file.name}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {formatBytes(file.size)} → {target}
        </Text>
        <Group gap={4} wrap="nowrap" c={color}>
          <Icon size={13} aria-hidden />
          <Text size="xs">{words}</Text>
        </Group>
      </UnstyledButton>
      {state.name !== 'importing' && (
        <ActionIcon variant="subtle" size="sm" mt={4} aria-label={`Remove ${file.name}`} onClick={onRemove}>
          <IconX size={14} />
        </ActionIcon>
      )}
    </Group>
  );
}
