import { useMantineColorScheme } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { create } from 'zustand';
import type { OpenedFile } from '#shared/bridge.ts';
import { at } from '../bridge/place.ts';
import { countOf } from '../format.ts';
import type { Route } from '../router.ts';
import { importFiles } from '../stores/picked-files.ts';

/** Files that the system gave the app to open, until it is known which project they belong to. */
const useOpened = create<{ readonly files: readonly File[] }>(() => ({ files: [] }));

/** What the desktop app's window has beside a browser's: its frame follows the theme, and the system gives it files to open. */
export function useDesktop(route: Route, mayImport: boolean): void {
  const { colorScheme } = useMantineColorScheme();
  useEffect(
    () => window.fieldbench?.setTheme(colorScheme === 'auto' ? 'system' : colorScheme),
    [colorScheme],
  );

  const takes = mayImport && at === null;
  const files = useOpened((state) => state.files);
  useEffect(() => {
    if (!takes) return;
    return window.fieldbench?.listenFiles((opened) => {
      fetchAll(opened).then(
        (read) => useOpened.setState((state) => ({ files: [...state.files, ...read] })),
        sayUnread,
      );
    });
  }, [takes]);

  // A file belongs to a project: that of the screen, or the one that is opened next.
  const project_id = 'project_id' in route ? route.project_id : null;
  useEffect(() => {
    if (files.length === 0) return;
    if (project_id === null) return sayWaiting(files);
    notifications.hide(WAITING);
    useOpened.setState({ files: [] });
    importFiles(project_id, files);
  }, [files, project_id]);
}

const fetchAll = (files: readonly OpenedFile[]): Promise<File[]> =>
  Promise.all(
    files.map(async ({ url, name, modified }) => {
      const response = await fetch(url);
      if (!response.ok) throw new Error(`${name} could not be read. Is it still there, and may you read it?`);
      return new File([await response.blob()], name, { lastModified: modified });
    }),
  );

const sayUnread = (error: unknown) =>
  void notifications.show({
    title: 'Nothing was imported',
    message: error instanceof Error ? error.message : String(error),
    color: 'red',
    autoClose: false,
  });

const WAITING = 'opened-files';

function sayWaiting(files: readonly File[]): void {
  const name = files.length === 1 ? (files[0]?.name ?? '') : countOf(files.length, 'file');
  notifications.show({
    id: WAITING,
    title: `${name} ${files.length === 1 ? 'waits' : 'wait'} to be imported`,
    message: 'Open the project that it belongs to, or make one: its import screen opens by itself.',
    autoClose: false,
  });
}
