import { create } from 'zustand';
import { goTo } from '../router.ts';

/** Stands for no project: of files that are looked at before it is known where they go. */
export const LOOK = '';

/** Files that were dropped or picked somewhere, on their way to the import screen of a project, or to a look. */
interface Picked {
  readonly project_id: string;
  readonly files: readonly File[];
  /** The device that they were dropped on, if any. */
  readonly device_id: string | null;
}

interface PickedFiles {
  readonly picked: Picked | null;
  /** Drops outside of the drop area over all of the screen, which gets none of them and has to reset. */
  readonly dropsBeside: number;
}

export const usePicked = create<PickedFiles>(() => ({ picked: null, dropsBeside: 0 }));

/** Ends a drag that was let go beside the screen. */
export function droppedBeside(): void {
  usePicked.setState(({ dropsBeside }) => ({ dropsBeside: dropsBeside + 1 }));
}

/** Whether what is dragged are files; a page is not told more before they are dropped. */
export function holdsFiles({ dataTransfer }: { readonly dataTransfer: DataTransfer }): boolean {
  return dataTransfer.types.includes('Files');
}

/** Opens the import screen with some files, or without any, beside those of the same place that it has not taken yet. */
export function importFiles(
  project_id: string,
  files: readonly File[],
  device_id: string | null = null,
): void {
  usePicked.setState(({ picked }) => {
    const isSame = picked?.project_id === project_id && picked.device_id === device_id;
    return { picked: { project_id, files: [...(isSame ? picked.files : []), ...files], device_id } };
  });
  goTo({ screen: 'import', project_id });
}

/** Opens a look at some files that belong nowhere yet. */
export function lookAtFiles(files: readonly File[]): void {
  usePicked.setState(({ picked }) => {
    const before = picked?.project_id === LOOK ? picked.files : [];
    return { picked: { project_id: LOOK, files: [...before, ...files], device_id: null } };
  });
  goTo({ screen: 'look' });
}

/** Clears the picked files. */
export function takePicked(): void {
  usePicked.setState({ picked: null });
}
