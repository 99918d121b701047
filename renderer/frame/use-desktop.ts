import { useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import type { OpenedFile } from '#shared/bridge/bridge.ts';
import { at } from '../bridge/place.ts';
import { sayFailed } from '../components/work/notices.ts';
import { countOf } from '../format.ts';
import { currentRoute } from '../router.ts';
import { importFiles, lookAtFiles } from '../stores/picked-files.ts';

/** Extras of the desktop app's window: its frame follows the theme, and the system gives it files to open. */
export function useDesktop(mayImport: boolean): void {
  const { colorScheme } = useMantineColorScheme();
  useEffect(
    () => window.fieldbench?.setTheme(colorScheme === 'auto' ? 'system' : colorScheme),
    [colorScheme],
  );

  useEffect(() => window.fieldbench?.listenUndo(undoAsByKey), []);

  const takes = mayImport && at === null;
  useEffect(() => {
    // What it may do here is not known yet.
    if (!takes && at === null) return;
    return window.fieldbench?.listenFiles((opened) => {
      if (!takes) return sayElsewhere(opened);
      void readAll(opened).then(takeOpened);
    }, takes);
  }, [takes]);
}

/** As if they were dropped on the window: for the project of the screen, and looked at first where it has none. */
function takeOpened(files: readonly File[]): void {
  if (files.length === 0) return;
  const route = currentRoute();
  if ('project_id' in route) importFiles(route.project_id, files);
  else lookAtFiles(files);
}

/** Does what the key would, where the focus is: to what was typed there, else to what was done last (use-action-keys.ts). */
function undoAsByKey(direction: 'undo' | 'redo'): void {
  const shiftKey = direction === 'redo';
  const key = shiftKey ? 'Z' : 'z';
  const pressed = { key, code: 'KeyZ', ctrlKey: true, shiftKey, bubbles: true, cancelable: true };
  const focused = document.activeElement ?? document.body;
  // No other way is there to undo what was typed.
  if (focused.dispatchEvent(new KeyboardEvent('keydown', pressed))) document.execCommand(direction);
}

/** Resolves with those that can be read, and says which cannot. */
async function readAll(opened: readonly OpenedFile[]): Promise<File[]> {
  const read = await Promise.allSettled(opened.map(readOne));
  return read.flatMap((result, index) => {
    if (result.status === 'fulfilled') return [result.value];
    sayUnread(opened[index]?.name ?? '');
    return [];
  });
}

async function readOne({ url, name, modified }: OpenedFile): Promise<File> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(await response.text());
  return new File([await response.blob()], name, { lastModified: modified });
}

const sayUnread = (name: string) =>
  void sayFailed(
    `${name} was not imported`,
    'It could not be read. Is it a file, is it still there, and may you read it?',
  );

const sayElsewhere = (opened: readonly OpenedFile[]) =>
  void sayFailed(
    `${namesOf(opened)} not imported`,
    'This window shows another service. Go back to this computer’s own, and open what is to be imported again.',
  );

const namesOf = (files: readonly { readonly name: string }[]) =>
  files.length === 1 ? `${files[0]?.name ?? ''} was` : `${countOf(files.length, 'file')} were`;
