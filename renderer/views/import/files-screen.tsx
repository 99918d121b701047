import { Button, Group, Text } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { useOffline } from '../../bridge/connection.ts';
import { Empty } from '../../components/screen/empty.tsx';
import { FileDrop } from '../../components/screen/file-drop.tsx';
import { Screen } from '../../components/screen/screen.tsx';
import { usePickFiles } from '../../components/screen/use-pick-files.ts';
import { OfflineNotice } from '../../components/work/offline-notice.tsx';
import { countOf } from '../../format.ts';
import { isNotImported, useItemsOf, type FileItem } from '../../import/files/file-items.ts';
import { fileStateOf } from '../../import/files/file-state.ts';
import { addFiles, removeImported, removeItem } from '../../import/files/look-at-files.ts';
import { isReady } from '../../import/files/run-imports.ts';
import { takePicked, usePicked } from '../../stores/picked-files.ts';
import { FilePanel } from './file-panel.tsx';
import { FileRow } from './file-row.tsx';
import classes from './import-screen.module.css';

interface FilesScreenProps {
  /** LOOK where no project was chosen yet. */
  readonly project_id: string;
  readonly title: string;
  /** Words for a screen without files. */
  readonly empty: string;
  /** Devices that a file may go into. */
  readonly devices: readonly FoundDevice[];
  /** Where all of the files go, if that is to be chosen. */
  readonly place?: ReactNode;
  /** Whether that is known. */
  readonly isPlaced?: boolean;
  readonly nameOf: (item: FileItem) => string;
  readonly onImport: (items: readonly FileItem[]) => void;
  readonly onLeave: () => void;
}

/** Files on their way into devices: left all of them, right the one that is looked at. */
export function FilesScreen({
  project_id,
  title,
  empty,
  devices,
  place,
  isPlaced = true,
  nameOf,
  onImport,
  onLeave,
}: FilesScreenProps) {
  const items = useItemsOf(project_id);
  const [chosen, setChosen] = useState<number | null>(null);
  const shown = items.find(({ id }) => id === chosen) ?? items[0];
  const add = (files: readonly File[]) => {
    const [first] = addFiles(project_id, files, null);
    // An imported file has no more to show.
    if (first && shown?.state.name === 'done') setChosen(first.id);
  };
  const choose = usePickFiles(add);
  const importButton = useRef<HTMLButtonElement>(null);
  const doneButton = useRef<HTMLButtonElement>(null);
  const offline = useOffline();
  const picked = usePicked((state) => state.picked);
  const openedFor = useRef<string | null>(null);
  useEffect(() => {
    const opens = openedFor.current !== project_id;
    openedFor.current = project_id;
    if (picked?.project_id !== project_id) return;
    takePicked();
    // Files of an import before are not in the way of this one; the way back still leads to them.
    if (opens) removeImported(project_id);
    addFiles(project_id, picked.files, picked.device_id);
  }, [project_id, picked]);

  const ready = items.filter(isReady);
  const looking = items.some(({ state }) => state.name === 'inspecting');
  const mayImport = ready.length > 0 && isPlaced && !offline;
  // Once all files were looked at, what most want next is at hand.
  useEffect(() => {
    const button = importButton.current;
    if (!looking && button?.disabled === false) button.focus({ preventScroll: true });
  }, [looking]);

  const failed = items.find(({ state }) => isNotImported(state))?.id;
  const isBusy = items.some(({ state }) => state.name === 'importing');
  // Stored records stay: then there is nothing to cancel.
  const isUntouched =
    !items.some(({ state }) => state.name === 'done' || state.name === 'importing') &&
    (looking || items.some((item) => fileStateOf(item).name !== 'cannot-import'));
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
    <Screen title={title} actions={items.length > 0 && pick}>
      <FileDrop words="Drop to add to the list" onFiles={add} />
      {!shown ? (
        <Empty icon={IconFileImport} title="No files yet" action={pick}>
          {empty}
        </Empty>
      ) : (
        <>
          {place}
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
                items={items}
                devices={devices}
              />
            </section>
          </div>
          <Group justify="flex-end" gap="sm" className={classes['foot'] ?? ''}>
            <Text size="sm" c="dimmed" className={classes['progress'] ?? ''}>
              {progressOf(items)}
            </Text>
            <OfflineNotice />
            <Button ref={doneButton} variant="default" onClick={onLeave}>
              {isUntouched ? 'Cancel' : 'Done'}
            </Button>
            <Button ref={importButton} disabled={!mayImport} onClick={() => onImport(ready)}>
              {importWords(ready.length, items)}
            </Button>
          </Group>
        </>
      )}
    </Screen>
  );
}

/** `Import 3 files`, or `Import 2 of 3` where one of them is not ready. */
function importWords(ready: number, items: readonly FileItem[]): string {
  const waiting = items.filter(({ state }) => state.name !== 'done' && state.name !== 'importing').length;
  if (ready === 0) return 'Import files';
  return ready === waiting ? `Import ${countOf(ready, 'file')}` : `Import ${ready} of ${waiting}`;
}

/** Progress of the import in words, and how the rest is stored. */
function progressOf(items: readonly FileItem[]): string {
  const count = (name: FileItem['state']['name']) => items.filter(({ state }) => state.name === name).length;
  const done = count('done');
  if (done + count('importing') === 0) return 'Nothing is stored before you press Import.';
  const imported = `${done} of ${countOf(items.length, 'file')} imported.`;
  return items.some(isReady) ? `${imported} The others are not stored before you press Import.` : imported;
}
